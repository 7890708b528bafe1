"""Encodings are told apart on the bytes, suggested with a sample of the text, and never guessed silently."""

from __future__ import annotations

import os
import pickle
import random
import time
from pathlib import Path

import numpy as np
import pytest

from similitude.data.reading import encoding_errors, read
from similitude.data.reading.files import read_bytes, refuse_packed
from similitude.data.reading.legacy_encodings import mostly_utf8, suggested_encodings, wide_encoding
from similitude.data.reading.text_decoder import load_document, load_text
from similitude.errors import FormatError, InputError

HEADER = "id,left,right,score\n"

TEXTS = {
    "German": ("latin-1", "Ein Mann spielt Gitarre für die Kinder. Die Straße ist schön grün. Sie läuft."),
    "German with quotes": ("cp1252", "Er sagte: „Das ist schön“ – und ging. Das kostet 5 €, für alle."),
    "German capitals": ("latin-1", "MÜLLER GRÖSSE ÄPFEL"),
    "German under DOS": ("cp850", "Ein Mann spielt Gitarre für die Kinder. Die Straße ist schön."),
    "English": ("cp1252", "The man doesn’t play the guitar – he “sings”… It’s a dog."),
    "French": ("latin-1", "Un homme joue à côté d'une fenêtre. L'élève a mangé une crème brûlée très sucrée, ça va."),
    "French on a Mac": ("mac-roman", "L'élève a mangé une crème brûlée. Le garçon est là."),
    "Spanish": ("latin-1", "El niño está comiendo. ¿Dónde está la habitación? La canción es muy rápida."),
    "Portuguese": ("latin-1", "O homem não está tocando violão. As crianças comeram pão e maçã à porta."),
    "Italian": ("latin-1", "La città è più bella perché c'è il sole. Così è la virtù."),
    "Swedish": ("latin-1", "En man spelar gitarr på gården. Flickan äter ett äpple. Hon är på väg över bron."),
    "Danish": ("latin-1", "En mand spiller på guitar. Pigen spiser et æble ved søen. Børnene er på vej hjem."),
    "Icelandic": ("latin-1", "Maður spilar á gítar. Stúlkan borðar epli og þau eru á leiðinni yfir brúna."),
    "Polish": ("cp1250", "Mężczyzna gra na gitarze. Dziewczynka je jabłko i śpiewa. Źrebię poszło w łąki, gdzieś."),
    "Polish, ISO": ("iso8859-2", "Mężczyzna gra na gitarze. Dziewczynka je jabłko i śpiewa. Źrebię poszło w łąki."),
    "Czech": ("cp1250", "Muž hraje na kytaru. Dívka jí jablko. Příliš žluťoučký kůň úpěl ďábelské ódy."),
    "Hungarian": ("cp1250", "A férfi gitározik. A lány almát eszik és énekel. Árvíztűrő tükörfúrógép, szőlő."),
    "Turkish": ("cp1254", "Adam gitar çalıyor. Kız elma yiyor ve şarkı söylüyor. Öğrenci güneşte yürüyor, İstanbul."),
    "Lithuanian": ("cp1257", "Mergaitė valgo obuolį ir dainuoja gražią dainą. Ąžuolas čia auga šimtą metų, ūkininkas."),
    "Russian": ("cp1251", "Мужчина играет на гитаре. Девочка ест яблоко и поёт песню. Это очень хорошо."),
    "Russian, KOI-8": ("koi8-r", "Мужчина играет на гитаре. Девочка ест яблоко и поёт песню. Это очень хорошо."),
    "Russian under DOS": ("cp866", "Мужчина играет на гитаре. Девочка ест яблоко и поёт песню. Это очень хорошо."),
    "Ukrainian": ("cp1251", "Чоловік грає на гітарі. Дівчинка їсть яблуко і співає пісню. Це дуже добре є."),
    "Bulgarian": ("cp1251", "Мъжът свири на китара. Момичето яде ябълка и пее песен. Това е много хубаво."),
    "Greek": ("cp1253", "Ένας άντρας παίζει κιθάρα. Το κορίτσι τρώει ένα μήλο και τραγουδάει."),
    "Hebrew": ("cp1255", "גבר מנגן בגיטרה. הילדה אוכלת תפוח ושרה שיר יפה מאוד."),
    "Arabic": ("cp1256", "رجل يعزف على الجيتار. الفتاة تأكل تفاحة وتغني أغنية جميلة."),
    "Thai": ("cp874", "ผู้ชายกำลังเล่นกีตาร์ เด็กผู้หญิงกำลังกินแอปเปิ้ลและร้องเพลง"),
    "Chinese": ("gb18030", "一个男人在弹吉他。女孩正在吃苹果并且唱歌。他们说这是一个很好的主意，但是我不同意。"),
    "Chinese, short": ("gb18030", "一个男人在弹吉他"),
    "Chinese news": ("gb18030", "股市今日大幅下跌,沪深股指双双收低,市场的信心还没有恢复"),
    "Chinese, traditional": (
        "big5",
        "一個男人在彈吉他。女孩正在吃蘋果並且唱歌。他們說這是一個很好的主意，但是我不同意。",
    ),
    "Japanese": ("shift_jis", "男の人がギターを弾いています。女の子はりんごを食べながら歌っています。"),
    "Japanese, EUC": ("euc-jp", "男の人がギターを弾いています。女の子はりんごを食べながら歌っています。"),
    "Korean": ("euc-kr", "한 남자가 기타를 연주하고 있다. 소녀는 사과를 먹으면서 노래를 부르고 있습니다."),
}
WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


def rows(text: str) -> str:
    return f"{HEADER}1,one,two,5\n2,{text.replace(',', ' ')},three,1\n"


def message(call, *arguments, **options) -> str:
    with pytest.raises(InputError) as raised:
        call(*arguments, **options)
    shown = str(raised.value)
    assert "\n" not in shown
    assert raised.value.remedy
    return shown


# --- suggestions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TEXTS)
def test_each_language_is_read_by_the_one_encoding_that_is_suggested(make_file, language):
    encoding, text = TEXTS[language]
    assert suggested_encodings(rows(text).encode(encoding)) == [encoding]
    path = make_file("a.csv", rows(text), encoding=encoding)
    shown = message(read, path)
    assert "a.csv, line 3: byte 0x" in shown
    assert f"--encoding {encoding} reads it: " in shown
    assert next(character for character in text if not character.isascii()) in shown
    assert read(path, encoding=encoding).items.lefts[1] == text.replace(",", " ")


def test_the_message_shows_how_the_line_would_read(make_file):
    path = make_file("a.csv", HEADER + "1,Das ist ein Café,b,5\n", encoding="latin-1")
    assert "line 2: byte 0xe9 at byte 18 is not UTF-8; --encoding latin-1 reads it: ',Das ist ein Café,b,5'" in message(
        read, path
    )


def test_bytes_of_windows_are_windows_and_others_latin_1():
    assert suggested_encodings("für".encode("latin-1")) == ["latin-1"]
    assert suggested_encodings("für 5 €".encode("cp1252")) == ["cp1252"]
    assert suggested_encodings("für ".encode("latin-1") + b"\x81\x8d") == []


def test_two_plausible_texts_are_both_shown(make_file):
    shown = message(read, make_file("a.csv", HEADER + "1,la crème,b,5\n", encoding="latin-1"))
    assert "--encoding latin-1 reads it: '1,la crème,b,5', --encoding cp1250 reads it: '1,la crčme,b,5'" in shown


def test_the_whole_file_must_decode_not_only_its_beginning():
    text = TEXTS["Czech"][1]
    data = "\n".join([text] * 2000).encode("cp1250")
    assert suggested_encodings(data) == ["cp1250"]
    assert "cp1250" not in suggested_encodings(data + b"\n\x81\x83\x88")


def test_nothing_is_suggested_for_bytes_that_are_no_text(make_file):
    noise = bytes(range(128, 256)) + b"\n" + bytes(range(255, 127, -1))
    assert suggested_encodings(noise) == []
    assert "the file is damaged, or in a rare encoding: name it with --encoding" in message(
        read, make_file("a.csv", HEADER.encode() + b"1,a" + noise + b",b,5\n"), format="csv"
    )


def test_a_damaged_line_in_a_file_of_utf_8_gets_no_other_encoding(make_file):
    content = (HEADER + "1,schön,größer,5\n2,für,über,1\n3,").encode() + b"\xfcber,x,2\n"
    shown = message(read, make_file("a.csv", content))
    assert "line 4: byte 0xfc at byte 3 is not UTF-8; the rest of the file is UTF-8" in shown
    assert "--encoding" not in shown


@pytest.mark.parametrize("text", ["蓝色的天空", "ein grünes Café", "Привет"])
def test_a_text_of_utf_8_that_was_cut_in_a_character(make_file, text):
    content = (HEADER + f"1,{text},{text},5\n2,a,{text}").encode()[:-1]
    assert mostly_utf8(content)
    assert "the rest of the file is UTF-8" in message(read, make_file("a.csv", content), format="csv")


def test_an_old_mac_file_names_the_line(make_file):
    content = (HEADER + "1,a,b,5\n2,une élève mange là,c,1\n").replace("\n", "\r")
    shown = message(load_document, make_file("a.csv", content, encoding="mac-roman"))
    assert "a.csv, line 3: byte 0x8e at byte 7 is not UTF-8" in shown
    assert "--encoding mac-roman reads it: '2,une élève mange là,c,1'" in shown


def test_the_time_for_suggestions_does_not_grow_with_the_square_of_a_line():
    line = b"x" * 900_000
    data = b"\n".join([line] * 60) + "\nfür die Straße\n".encode("latin-1") + line
    start = time.perf_counter()
    assert suggested_encodings(data) == ["latin-1"]
    assert time.perf_counter() - start < 30


# --- UTF-16 and UTF-32 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize("language", ["English", "German", "Russian", "Arabic", "Chinese", "Japanese", "Korean"])
def test_wide_text_without_a_mark_names_its_encoding(make_file, encoding, language):
    text = TEXTS[language][1]
    path = make_file("a.csv", rows(text), encoding=encoding)
    shown = message(read, path)
    assert f"a.csv: the text is {encoding.upper()} without a byte-order mark, not UTF-8" in shown
    assert f"--encoding {encoding} reads it: 'id,left,right,score'" in shown
    assert shown in (message(load_text, path), message(load_document, path))
    assert read(path, encoding=encoding).items.lefts[1] == text.replace(",", " ")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_text_with_a_mark_is_read(make_file, encoding):
    text = TEXTS["Chinese"][1]
    assert read(make_file("a.csv", rows(text), encoding=encoding)).items.lefts[1] == text.replace(",", " ")


def test_two_marks_are_no_part_of_the_first_column(make_file):
    assert read(make_file("a.csv", "\ufeff\ufeff" + HEADER + "7,a,b,5\n")).items.ids == ["7"]


def test_the_other_byte_order_is_refused(make_file):
    path = make_file("a.csv", rows("x"), encoding="utf-16-be")
    for named in ("utf-16", "utf-16-le", "latin-1", "utf-32"):
        assert "--encoding utf-16-be reads it" in message(read, path, encoding=named)


def test_utf_16_is_refused_where_the_text_is_not(make_file):
    path = make_file("a.csv", HEADER + "1,ab,cd,5\n")
    for named in ("utf-16", "utf-16-le", "utf-32"):
        assert "leave out --encoding" in message(load_text, path, encoding=named)


@pytest.mark.parametrize(
    "content",
    [
        b"id,left,right,score\n1,a,b,5\n2,c\0c,d,1\n",
        b"id\0,left,ri\0ght,sco\0re\n1,a,b,5\n2,c\0c,d,1\n",
        b"a\0b\0c\0\n" + b"abcdefgh\n" * 20,
        bytes(5000),
        b"abc\n" + bytes(5000),
    ],
)
def test_text_with_nuls_is_not_taken_for_utf_16(content):
    assert wide_encoding(content) is None


def test_lines_with_nuls_are_problems_of_their_own(make_file):
    path = make_file("a.csv", HEADER + "1,a,b,5\n2,c\0c,d,1\n")
    assert "a.csv, line 3: the line has a NUL byte; the file may be damaged" in message(read, path)
    assert read(path, on_error="skip").items.ids == ["1"]


# --- UTF-8 under another name -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("named", ["latin-1", "cp1252", "cp1251", "koi8-r", "ascii", "mac-roman", "gbk", "shift_jis"])
@pytest.mark.parametrize("text", ["Das Café ist schön", "Привет мир", "一个男人在弹吉他"])
def test_utf_8_under_another_name_is_refused(make_file, named, text):
    path = make_file("a.csv", HEADER + f"1,{text},b,5\n")
    shown = message(load_text, path, encoding=named)
    assert "a.csv: the text is UTF-8, not " in shown
    assert f"which would read '1,{text},b,5' as " in shown
    assert "leave out --encoding" in shown
    assert text in load_text(path).lines[1]


def test_mostly_utf_8_under_another_name_is_refused_too(make_file):
    content = (HEADER + "1,schön,größer,5\n2,für,über,1\n3,").encode() + b"\xfcber,x,2\n"
    assert "the text is UTF-8" in message(load_text, make_file("a.csv", content), encoding="latin-1")


@pytest.mark.parametrize("language", TEXTS)
def test_no_text_in_its_own_encoding_is_taken_for_utf_8(make_file, language):
    encoding, text = TEXTS[language]
    for part in (text, *text.split()):
        assert part in load_document(make_file("a.txt", f"x {part}", encoding=encoding), encoding)


def test_a_chinese_word_whose_bytes_are_valid_utf_8_is_still_read(make_file):
    word = "一"  # a word alone is read in any case; the bytes of this one are D2 BB, which UTF-8 has too
    assert word.encode("gbk").decode() == "һ"
    assert load_document(make_file("a.txt", word, encoding="gbk"), "gbk") == word


def test_ascii_is_read_under_any_name(make_file):
    for named in ("latin-1", "cp1251", "gb18030", "ascii", "utf-8"):
        assert load_text(make_file("a.csv", HEADER), encoding=named).lines == [HEADER.strip()]


# --- speed ------------------------------------------------------------------------------------------------------------


def test_valid_utf_8_costs_one_check_of_validity(make_file, monkeypatch):
    for name in ("suggested_encodings", "mostly_utf8", "is_plausible", "first_high_line"):
        monkeypatch.setattr(encoding_errors, name, None)
    assert load_text(make_file("a.csv", rows("schön"))).lines[2] == "2,schön,three,1"


# --- files that hold no table -----------------------------------------------------------------------------------------

KINDS = {
    "gzip": (b"\x1f\x8b\x08\0", "is compressed with gzip; unpack it first: gunzip a.csv"),
    "bzip2": (b"BZh91AY&SY", "is compressed with bzip2"),
    "xz": (b"\xfd7zXZ\0", "is compressed with xz"),
    "zstd": (b"\x28\xb5\x2f\xfd", "is compressed with zstd"),
    "lz4": (b"\x04\x22\x4d\x18", "is compressed with LZ4"),
    "npz": (b"PK\x03\x04" + bytes(26) + b"arr_0.npy", "is an archive of NumPy arrays"),
    "ods": (b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis", "is an OpenDocument file"),
    "zip": (b"PK\x03\x04", "is a ZIP archive or an Excel workbook"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old Excel workbook"),
    "tar": (b"pairs.csv".ljust(257, b"\0") + b"ustar", "is a tar archive; unpack it first: tar -xf a.csv"),
    "7z": (b"7z\xbc\xaf\x27\x1c", "is a 7z archive"),
    "rar": (b"Rar!\x1a\x07\0", "is a RAR archive"),
    "pdf": (b"%PDF-1.7\n", "is a PDF document"),
    "rtf": (b"{\\rtf1\\ansi", "is a rich-text document"),
    "html": (b"\n<!DOCTYPE html>\n<html>", "is a web page, not data; the download went wrong"),
    "html comment": (b'\xef\xbb\xbf<!-- saved -->\n<HTML lang="en">', "is a web page"),
    "lfs": (b"version https://git-lfs.github.com/spec/v1\noid", "is a Git LFS pointer, not the data; fetch"),
    "sqlite": (b"SQLite format 3\0", "is an SQLite database"),
    "pickle": (b"\x80\x04\x95\x1a\0\0", "is a Python pickle"),
    "old pickle": (b"\x80\x02}q\0", "is a Python pickle"),
    "npy": (b"\x93NUMPY\x01\0", "is a NumPy array"),
    "hdf5": (b"\x89HDF\r\n\x1a\n", "is an HDF5 file"),
    "rds": (b"X\n\0\0\0\x03", "is an R data file"),
    "spss": (b"$FL2@(#) IBM", "is an SPSS file"),
    "stata": (b"<stata_dta><header>", "is a Stata file"),
    "gguf": (b"GGUF\x03\0\0\0", "holds the weights of a model"),
    "safetensors": (b'\x10\x02\0\0\0\0\0\0{"__metadata__"', "holds the weights of a model"),
    "png": (b"\x89PNG\r\n\x1a\n", "is an image"),
    "jpeg": (b"\xff\xd8\xff\xe0", "is an image"),
    "mp3": (b"ID3\x03\0", "is sound or video"),
    "elf": (b"\x7fELF\x02", "is a program"),
    "apple": (b"\0\x05\x16\x07\0\x02", "is a companion file of macOS"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_files_that_hold_no_table_say_what_they_are(make_file, kind):
    opening, what = KINDS[kind]
    path = make_file("a.csv", opening + b"\nrest of the file")
    shown = message(read_bytes, path)
    assert f"a.csv: {what}" in shown
    assert message(read, path) == shown


def test_a_real_pickle_and_a_real_array(tmp_path):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        (tmp_path / "a.pkl").write_bytes(pickle.dumps({"a": [1, 2]}, protocol))
        assert "is a Python pickle" in message(read_bytes, tmp_path / "a.pkl")
    np.save(tmp_path / "a.npy", np.ones(3))
    assert "is a NumPy array" in message(read_bytes, tmp_path / "a.npy")
    np.savez(tmp_path / "a.npz", np.ones(3))
    assert "is an archive of NumPy arrays" in message(read_bytes, tmp_path / "a.npz")


@pytest.mark.parametrize(
    "opening",
    [
        b"BZh9 is a magic number,b\n",
        b"GGUF,b\n",
        b"ID3 tags,b\n",
        b"MZ,b\n",
        b"RIFF,b\n",
        b"GIF images,b\n",
        b"PKW,b\n",
        b"ORC,b\n",
        b"7z,b\n",
        b"Rar!,b\n",
        b"version,b\n",
        b"X\n0\n",
        b"II*,b\n",
        b"<b>bold</b>,x\n",
        b'{"a": 1}\n',
        "qrs\u00e9,b\n".encode(),
        b"PAR1",
        b"ARROW1\0\0",
    ],
)
def test_tables_are_not_taken_for_other_files(make_file, opening):
    refuse_packed(make_file("a.csv", opening), opening + b"1,2,3\n" * 100)


def outcome(path: Path, encoding: str) -> str:
    try:
        return f"{len(load_text(path, encoding).lines)} lines"
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16", "gb18030", "utf-32-be"])
def test_random_bytes_are_read_or_refused_in_one_line(make_file, encoding):
    rng = random.Random(7)
    for _ in range(200):
        data = bytes(
            rng.choice((0, 10, 44, 65, 195, 169, 255, rng.randrange(256))) for _ in range(rng.randrange(1, 60))
        )
        assert "\n" not in outcome(make_file("a.csv", data), encoding)


def test_the_kinds_are_format_errors(make_file):
    with pytest.raises(FormatError):
        read_bytes(make_file("a.csv", b"%PDF-1.7" + os.urandom(10)))
