"""Benchmarks as bytes: encodings, control characters, files of other programs, packed files and things in folders."""

from __future__ import annotations

import pickle

from .builders import (
    HEAD,
    csv_of,
    dangling,
    device,
    fifo,
    folder,
    gzipped,
    loop,
    npy_bytes,
    packed,
    raw,
    sized_bomb,
    socket_file,
    sqlite_bytes,
    tarred,
    text,
    zipped,
)
from .case import Case, Make, Reads, Refuses
from .corpus_layouts import WHOLE, benchmark

__all__ = ["BYTES"]

GERMAN = csv_of([("Grüße aus Köln", "Größe „L“ – 5 €", 3), ("Füße", "Käse", 5), ("Bär", "Öl", 0)])
"""Letters of cp1252 that latin-1 does not have are in the second text."""
UMLAUTS = csv_of([("Grüße aus Köln", "Größe L", 3), ("Füße", "Käse", 5), ("Bär", "Öl", 0)])
CHINESE = csv_of(
    [("一只猫在睡觉。", "猫睡着了。", 5), ("一个人在弹吉他。", "有人在切洋葱。", 0), ("天气很好。", "今天下雨。", 1)]
)
RUSSIAN = csv_of(
    [("Кошка спит на диване.", "Кошка спит.", 4), ("Идёт дождь.", "Светит солнце.", 1), ("Чай", "Кофе", 2)]
)
JAPANESE = csv_of(
    [("猫がソファで寝ている。", "猫が寝ている。", 5), ("雨が降る。", "晴れている。", 1), ("お茶", "珈琲", 2)]
)
IN_GERMAN = Reads(
    items=3, scores=(3, 5, 0), lefts=("Grüße aus Köln", "Füße", "Bär"), rights=("Größe „L“ – 5 €", "Käse")
)
IN_CHINESE = Reads(items=3, scores=(5, 0, 1), lefts=("一只猫在睡觉。", "一个人在弹吉他。", "天气很好。"))
IN_RUSSIAN = Reads(items=3, scores=(4, 1, 2), lefts=("Кошка спит на диване.", "Идёт дождь.", "Чай"))
IN_JAPANESE = Reads(items=3, scores=(5, 1, 2), lefts=("猫がソファで寝ている。", "雨が降る。", "お茶"))
NOT_A_TABLE = "not recognised|not a |cannot|is an? |holds|binary"


def _encoded(content: str, encoding: str) -> Make:
    return raw("a.csv", content.encode(encoding))


def _foreign(name: str, file: str, content: bytes, *patterns: str) -> Case:
    """A file of another program, which is refused by name."""
    return benchmark(name, raw(file, content), Refuses(*(patterns or (NOT_A_TABLE,))))


ENCODINGS = [
    benchmark("UTF-16 with a mark", _encoded(GERMAN, "utf-16"), IN_GERMAN),
    benchmark(
        "UTF-16, most significant first, with a mark", raw("a.csv", b"\xfe\xff" + GERMAN.encode("utf-16-be")), IN_GERMAN
    ),
    benchmark("UTF-16 without a mark", _encoded(csv_of(), "utf-16-le"), Refuses("--encoding utf-16-?le")),
    benchmark(
        "UTF-16, most significant first, without a mark",
        _encoded(csv_of(), "utf-16-be"),
        Refuses("--encoding utf-16-?be"),
    ),
    benchmark(
        "Chinese in UTF-16 without a mark",
        _encoded(CHINESE, "utf-16-le"),
        Refuses("--encoding utf-16-?le"),
    ),
    benchmark("UTF-16 named", _encoded(CHINESE, "utf-16-le"), IN_CHINESE, encoding="utf-16-le"),
    benchmark("UTF-32 with a mark", _encoded(GERMAN, "utf-32"), IN_GERMAN),
    benchmark("UTF-8 with a mark", _encoded(GERMAN, "utf-8-sig"), IN_GERMAN),
    benchmark(
        "UTF-8 with two marks",
        raw("a.csv", b"\xef\xbb\xbf\xef\xbb\xbf" + GERMAN.encode()),
        IN_GERMAN,
    ),
    benchmark("latin-1", _encoded(UMLAUTS, "latin-1"), Refuses("line 2", "--encoding (latin-1|cp1252|iso-8859-1)")),
    benchmark("cp1252", _encoded(GERMAN, "cp1252"), Refuses("line 2", "--encoding (cp1252|windows-1252)")),
    benchmark("cp1252, named", _encoded(GERMAN, "cp1252"), IN_GERMAN, encoding="cp1252"),
    benchmark("cp1252 called latin-1", _encoded(GERMAN, "cp1252"), Refuses("line 2", "cp1252"), encoding="latin-1"),
    benchmark(
        "UTF-8 called latin-1",
        _encoded(GERMAN, "utf-8"),
        Refuses("utf-8"),
        encoding="latin-1",
    ),
    benchmark("the letters of old Macs", _encoded(UMLAUTS, "mac-roman"), Refuses("line 2", "--encoding")),
    benchmark("GB 18030", _encoded(CHINESE, "gb18030"), Refuses("line 2", "--encoding")),
    benchmark("GB 18030, named", _encoded(CHINESE, "gb18030"), IN_CHINESE, encoding="gb18030"),
    benchmark(
        "Big5, named",
        _encoded(csv_of([("天氣很好。", "今天下雨。", 1), ("茶", "水", 2)]), "big5"),
        Reads(items=2, lefts=("天氣很好。", "茶")),
        encoding="big5",
    ),
    benchmark("Shift JIS", _encoded(JAPANESE, "shift_jis"), Refuses("line 2", "--encoding")),
    benchmark("Shift JIS, named", _encoded(JAPANESE, "shift_jis"), IN_JAPANESE, encoding="shift_jis"),
    benchmark("cp1251", _encoded(RUSSIAN, "cp1251"), Refuses("line 2", "--encoding")),
    benchmark("cp1251, named", _encoded(RUSSIAN, "cp1251"), IN_RUSSIAN, encoding="cp1251"),
    benchmark("KOI8-R, named", _encoded(RUSSIAN, "koi8-r"), IN_RUSSIAN, encoding="koi8-r"),
    benchmark("no such encoding", text("a.csv", csv_of()), Refuses("utf-9", "encoding", name=""), encoding="utf-9"),
    benchmark(
        "an encoding that is none of texts", text("a.csv", csv_of()), Refuses("encoding", name=""), encoding="base64"
    ),
    benchmark(
        "one line of latin-1 in a file of UTF-8",
        raw("a.csv", csv_of().encode() + b"f\xfcr,gr\xfcn,3\n"),
        Refuses("line 10"),
    ),
    benchmark("half a letter at the end", raw("a.csv", csv_of().encode() + "a,ü".encode()[:-1]), Refuses("line 10")),
    benchmark("half a surrogate pair", raw("a.csv", csv_of().encode() + b"a,\xed\xa0\x80,3\n"), Refuses("line 10")),
    benchmark(
        "letters encoded twice",
        text("a.csv", HEAD + "GrÃ¼ÃŸe,KÃ¶ln,3\nFÃ¼ÃŸe,BÃ¤r,5\n"),
        Reads(items=2, lefts=("GrÃ¼ÃŸe", "FÃ¼ÃŸe")),
    ),
]

NOTHING = [
    benchmark("0 bytes", raw("a.csv", b""), Refuses("empty")),
    benchmark("only a mark", raw("a.csv", b"\xef\xbb\xbf"), Refuses("empty")),
    benchmark("only the mark of UTF-16", raw("a.csv", b"\xff\xfe"), Refuses("empty")),
    benchmark("only blanks", raw("a.csv", b" \n\t\n   \n"), Refuses("empty")),
    benchmark("only separators", raw("a.csv", b",,\n,,\n,,\n"), Refuses("--column|empty|blank")),
    benchmark(
        "only NULs, as a crash of the machine leaves them", raw("a.csv", b"\0" * 4096), Refuses("NUL|empty|binary")
    ),
    benchmark("a NUL in a text", raw("a.csv", csv_of().encode() + b"a\0b,c,3\n"), Refuses("line 10", "NUL")),
    benchmark("a NUL in a score", raw("a.csv", csv_of().encode() + b"a,c,3\0\n"), Refuses("line 10")),
    benchmark(
        "a NUL in the header", raw("a.csv", csv_of().encode().replace(b"score", b"sc\0ore")), Refuses("NUL|--column")
    ),
    benchmark("0 bytes called jsonl", raw("a.jsonl", b""), Refuses("empty")),
    benchmark("0 bytes called parquet", raw("a.parquet", b""), Refuses("empty")),
    benchmark("0 bytes called xlsx", raw("a.xlsx", b""), Refuses("empty")),
]

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0"
LFS = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 1234567\n"
)
HTML = b'<!DOCTYPE html>\n<html lang="en"><head><title>404, Not Found</title></head><body>No, sorry</body></html>\n'
FOREIGN = [
    _foreign("a page that says 404", "a.csv", HTML, "HTML|web page"),
    _foreign("a page that says 404, called parquet", "a.parquet", HTML, "HTML|web page|not a valid Parquet"),
    _foreign("a page that says 404, called jsonl", "a.jsonl", HTML, "HTML|web page"),
    _foreign("an answer of a server", "a.csv", b"404: Not Found", "not recognised|first line"),
    _foreign("an error of a server as JSON", "a.jsonl", b'{"error": "Repository not found"}\n', "error|not recognised"),
    _foreign("XML", "a.csv", b'<?xml version="1.0"?>\n<pairs><pair><s1>a</s1></pair></pairs>\n', "XML"),
    _foreign("a pointer of Git LFS", "a.csv", LFS, "LFS"),
    _foreign("a pointer of Git LFS, called parquet", "a.parquet", LFS, "LFS"),
    _foreign("a PDF", "a.csv", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n", "PDF"),
    _foreign("a picture", "a.csv", PNG, NOT_A_TABLE),
    _foreign("an array of NumPy", "a.npy", npy_bytes([[1.0, 2.0]]), "NumPy|npy"),
    _foreign("an array of objects of NumPy", "a.npy", npy_bytes([{"a": 1}], pickled=True), "NumPy|npy"),
    _foreign("arrays of NumPy", "a.npz", zipped(scores__npy=npy_bytes([1.0])), "NumPy|npz|zip"),
    _foreign("a workbook of 1997", "a.xls", OLE, "xls|Excel", "xlsx|csv"),
    _foreign(
        "a workbook of LibreOffice",
        "a.ods",
        zipped(mimetype=b"application/vnd.oasis.opendocument.spreadsheet", content__xml=b"<x/>"),
        "ods|OpenDocument|LibreOffice|zip",
        "xlsx|csv",
    ),
    _foreign(
        "a file of Word",
        "a.docx",
        zipped(**{"[Content_Types]__xml": b"<Types/>", "word/document__xml": b"<x/>"}),
        NOT_A_TABLE,
    ),
    _foreign("a file of SPSS", "a.sav", b"$FL2@(#) SPSS DATA FILE MS Windows 22.0" + b"\0" * 200, "SPSS", "csv"),
    _foreign("a file of Stata", "a.dta", b"<stata_dta><header><release>118</release>" + b"\0" * 200, "Stata", "csv"),
    _foreign(
        "a file of R",
        "a.rds",
        gzipped(b"X\n\0\0\0\3\0\4\2\1\0\3\5\0" + b"\0" * 64),
        "\\bR\\b|binary|not recognised|NUL",
    ),
    _foreign(
        "a file of MATLAB", "a.mat", b"MATLAB 5.0 MAT-file, Platform: GLNXA64" + b" " * 80 + b"\0\1IM", NOT_A_TABLE
    ),
    _foreign("HDF5", "a.h5", b"\x89HDF\r\n\x1a\n" + b"\0" * 64, "HDF"),
    _foreign("Avro", "a.avro", b"Obj\x01\x04\x16avro.schema" + b"\0" * 64, NOT_A_TABLE),
    _foreign("ORC", "a.orc", b"ORC" + b"\x08\x00" * 40, NOT_A_TABLE),
    _foreign("a file of 7-Zip", "a.7z", b"7z\xbc\xaf\x27\x1c\0\4" + b"\xff" * 64, "7-?z"),
    _foreign("a file of RAR", "a.rar", b"Rar!\x1a\x07\x01\0" + b"\xff" * 64, "rar"),
    _foreign("noise", "a.csv", bytes((at * 193 + 71) % 251 for at in range(5000)), NOT_A_TABLE),
    _foreign(
        "a private key", "a.csv", b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n", "not recognised|first line"
    ),
    _foreign(
        "rich text", "a.csv", rb"{\rtf1\ansi\deff0 {\fonttbl {\f0 Times;}} sentence1,sentence2,score }", NOT_A_TABLE
    ),
]


class _Trap:
    """Something that leaves a trace when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, ("unpickled", "w")


def _database(where: object) -> object:
    (where / "a.db").write_bytes(sqlite_bytes(where))  # type: ignore[operator]
    return "a.db"


FOREIGN += [
    benchmark("a pickle that would do harm", raw("a.pkl", pickle.dumps(_Trap())), Refuses("pickle")),
    benchmark(
        "a pickle of an old protocol",
        raw("a.csv", pickle.dumps([["a", "b", 3]], protocol=0)),
        Refuses(NOT_A_TABLE + "|first line"),
    ),
    benchmark("a database", _database, Refuses("SQLite")),
]

PLAIN = csv_of().encode()
PACKED = [
    benchmark("gzip", raw("a.csv.gz", gzipped(PLAIN)), WHOLE),
    benchmark("gzip under a plain name", raw("a.csv", gzipped(PLAIN)), WHOLE),
    benchmark("plain text called gz", raw("a.csv.gz", PLAIN), WHOLE),
    benchmark("gzip twice", raw("a.csv.gz", gzipped(gzipped(PLAIN))), WHOLE),
    benchmark("two gzip files in one", raw("a.csv.gz", gzipped(PLAIN[:100]) + gzipped(PLAIN[100:])), WHOLE),
    benchmark("gzip cut off", raw("a.csv.gz", gzipped(PLAIN)[:-30]), Refuses("gzip|packed|cut|truncated|end")),
    benchmark(
        "gzip of which only the sum is cut off",
        raw("a.csv.gz", gzipped(PLAIN)[:-8]),
        Refuses("gzip|packed|cut|truncated|end"),
    ),
    benchmark(
        "gzip with a wrong sum",
        raw("a.csv.gz", gzipped(PLAIN)[:-8] + b"\1\2\3\4" + gzipped(PLAIN)[-4:]),
        Refuses("gzip|packed|damaged|checksum"),
    ),
    benchmark(
        "gzip with rubbish behind it",
        raw("a.csv.gz", gzipped(PLAIN) + b"\0" * 100 + b"rubbish"),
        Refuses("gzip|packed|damaged"),
    ),
    benchmark("gzip of nothing", raw("a.csv.gz", gzipped(b"")), Refuses("empty", name="a.csv")),
    benchmark(
        "the beginning of a gzip file", raw("a.csv.gz", b"\x1f\x8b\x08\0"), Refuses("gzip|packed|cut|truncated|end")
    ),
    benchmark("xz", raw("a.csv.xz", packed(PLAIN, "xz")), WHOLE),
    benchmark("xz cut off", raw("a.csv.xz", packed(PLAIN, "xz")[:-20]), Refuses("xz|packed|cut|truncated|end")),
    benchmark("bz2", raw("a.csv.bz2", packed(PLAIN, "bz2")), WHOLE),
    benchmark(
        "zstd of nothing but its first bytes", raw("a.csv.zst", b"\x28\xb5\x2f\xfd"), Refuses("zstd|zst|Zstandard")
    ),
    benchmark(
        "zip of one table",
        raw("a.zip", zipped(pairs__csv=PLAIN)),
        WHOLE,
    ),
    benchmark(
        "zip of several tables",
        raw("a.zip", zipped(train__csv=PLAIN, test__csv=PLAIN)),
        Refuses("zip", "unpack|unzip|extract"),
    ),
    benchmark("zip of nothing", raw("a.zip", b"PK\5\6" + b"\0" * 18), Refuses("zip|empty")),
    benchmark("zip cut off", raw("a.zip", zipped(pairs__csv=PLAIN)[:-30]), Refuses("zip")),
    benchmark(
        "tar in gzip",
        raw("a.tar.gz", tarred(train__csv=PLAIN, test__csv=PLAIN)),
        Refuses("tar", "unpack|extract", name="a.tar"),
    ),
    benchmark(
        "tar in gzip called csv.gz", raw("a.csv.gz", tarred(train__csv=PLAIN)), Refuses("tar|NUL|binary", name="a.csv")
    ),
    benchmark(
        "a bomb of gzip",
        raw("a.csv.gz", sized_bomb(300)),
        Refuses("line 2|limit|large|too long|MB|GB|bytes", name="a.csv"),
        apart=True,
    ),
]

TWO_TABLES = {"one__csv": csv_of(), "two__jsonl": '{"alpha": 1}\n'}


def _named(path: str) -> Make:
    return lambda _: path


def _near(where: object) -> str:
    (where / "sts-train.csv").write_bytes(PLAIN)  # type: ignore[operator]
    return "sts-trian.csv"


def _link_to_folder(where: object) -> str:
    folder("real", notes__txt="x")(where)  # type: ignore[arg-type]
    (where / "a.csv").symlink_to("real")  # type: ignore[operator]
    return "a.csv"


PATHS = [
    benchmark("no such file, with a near name", _near, Refuses("no such file", "sts-train.csv")),
    benchmark("no such folder", _named("gone/a.csv"), Refuses("no such|there is no")),
    benchmark("a path with a NUL", _named("a\0b.csv"), Refuses("path|name|NUL", name="")),
    benchmark("an empty path", _named(""), Refuses("path|name|file|folder", name="")),
    benchmark("a path of blanks", _named("  "), Refuses("no such|path|file", name="")),
    benchmark("a path that is too long", _named("x" * 300 + ".csv"), Refuses("cannot|long|no such", name="x" * 30)),
    benchmark(
        "a file in a file", lambda where: (raw("a.csv", PLAIN)(where), "a.csv/b.csv")[1], Refuses("a.csv", name="")
    ),
    benchmark("a folder with nothing in it", folder("stuff"), Refuses("empty|no known layout|holds|no file")),
    benchmark("a folder with a note", folder("stuff", notes__txt="see the paper"), Refuses("notes.txt|holds")),
    benchmark("a folder with a picture", folder("stuff", a__png=PNG), Refuses("a.png|holds")),
    benchmark("a folder with data of two kinds", folder("stuff", **TWO_TABLES), Refuses("one.csv|two.jsonl|holds")),
    benchmark("a link to a folder", _link_to_folder, Refuses("folder|holds", name="")),
    benchmark("a link to nothing", dangling("a.csv"), Refuses("no such|link|gone")),
    benchmark("a link to itself", loop("a.csv"), Refuses("link|loop|cannot")),
    benchmark("a pipe without a writer", fifo("a.csv"), Refuses("pipe|FIFO|writ"), apart=True),
    benchmark("a socket", socket_file("a.csv"), Refuses("socket|not a (regular )?file|cannot"), apart=True),
    benchmark("zeros without an end", device("/dev/zero"), Refuses("device|not a (regular )?file|cannot"), apart=True),
    benchmark(
        "chance without an end", device("/dev/urandom"), Refuses("device|not a (regular )?file|cannot"), apart=True
    ),
    benchmark("the empty device", device("/dev/null"), Refuses("empty|device|nothing")),
    Case(
        name="standard input",
        door="benchmark",
        make=_named("-"),
        expected=Reads(items=8, scale="0..5"),
        apart=True,
        typed=PLAIN,
    ),
    Case(
        name="standard input with nothing in it",
        door="benchmark",
        make=_named("-"),
        expected=Refuses("empty|nothing", name=""),
        apart=True,
    ),
    Case(
        name="standard input, packed",
        door="benchmark",
        make=_named("-"),
        expected=Reads(items=8, scale="0..5"),
        apart=True,
        typed=gzipped(PLAIN),
    ),
]

BYTES = [*ENCODINGS, *NOTHING, *FOREIGN, *PACKED, *PATHS]
