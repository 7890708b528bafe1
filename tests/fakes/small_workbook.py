"""A workbook with texts in its cells, as the bytes of an .xlsx file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def small_workbook(sheets: Mapping[str, Sequence[Sequence[str]]]) -> bytes:
    """The bytes of an .xlsx file with these rows in its sheets."""
    numbers = range(1, len(sheets) + 1)
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{at}" r:id="rId{at}"/>'
        for at, name in zip(numbers, sheets, strict=True)
    )
    links = "".join(_link(f"rId{at}", "worksheet", f"worksheets/sheet{at}.xml") for at in numbers)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/></Types>',
        "_rels/.rels": _links(_link("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _links(links),
    }
    parts |= {f"xl/worksheets/sheet{at}.xml": _sheet(rows) for at, rows in zip(numbers, sheets.values(), strict=True)}
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return sink.getvalue()


def _links(inside: str) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{inside}</Relationships>'


def _link(id_: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{id_}" Type="{_OFFICE}/{kind}" Target="{target}"/>'


def _sheet(rows: Sequence[Sequence[str]]) -> str:
    lines = (
        "".join(
            f'<c r="{chr(65 + column)}{row}" t="inlineStr"><is><t>{escape(text)}</t></is></c>'
            for column, text in enumerate(texts)
        )
        for row, texts in enumerate(rows, start=1)
    )
    inside = "".join(f'<row r="{row}">{cells}</row>' for row, cells in enumerate(lines, start=1))
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{inside}</sheetData></worksheet>'
