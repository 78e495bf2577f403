"""Zip archives that may be hostile: unpacked in memory, counted while they unpack."""

import io
import struct
import zipfile
import zlib

from adhominem.errors import InputError
from adhominem.instrument.documents.file_texts import FileLimits

_OLE = b"\xd0\xcf\x11\xe0"  # of locked documents, and of those of Word before 2007
_STEP = 64 * 1024
_SMALL = 1024 * 1024  # bytes up to which nobody asks how well something was packed
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGES = (  # what zipfile raises on bytes that are not an archive
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError),
)


class Archive:
    """Names are only ever compared and shown; nothing is written."""

    def __init__(self, data: bytes, name: str, limits: FileLimits) -> None:
        self._name, self._limits = name, limits
        self._unpacked = 0
        if data.startswith(_OLE):
            raise InputError(
                f"{name} is locked by a password or made by an old program: save it anew"
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGES as error:
            raise self._damaged(error) from None
        if len(self._zip.infolist()) > limits.max_rows:
            raise InputError(f"{name} holds more than {limits.max_rows:,} files")

    def members(self) -> list[zipfile.ZipInfo]:
        """Files with a name."""
        files = self._zip.infolist()
        return [file for file in files if file.filename and not file.filename.endswith("/")]

    def read(self, member: zipfile.ZipInfo) -> bytes:
        if member.flag_bits & 1:
            raise InputError(f"{self._name} is encrypted: unpack it first")
        if member.compress_type not in _KNOWN:
            raise InputError(f"{self._name} is packed in an unusual way: pack it as a plain zip")
        pieces, size, limits = [], 0, self._limits
        try:
            with self._zip.open(member) as stream:
                while piece := stream.read(_STEP):
                    size += len(piece)
                    self._unpacked += len(piece)
                    most = ""
                    if self._unpacked > limits.max_unpacked:
                        most = f"{limits.max_unpacked >> 20} MB: give a part of it"
                    elif size > max(_SMALL, limits.max_ratio * max(member.compress_size, 1)):
                        most = f"{limits.max_ratio:.0f} times its size, as no text does"
                    if most:
                        raise InputError(f"{self._name} unpacks to more than {most}")
                    pieces.append(piece)
        except _DAMAGES as error:
            raise self._damaged(error) from None
        return b"".join(pieces)

    def has(self, path: str) -> bool:
        return path in self._zip.NameToInfo

    def read_named(self, path: str) -> bytes:
        if not self.has(path):
            raise InputError(f"{self._name} is not a whole document: it has no {path}")
        return self.read(self._zip.getinfo(path))

    def _damaged(self, error: BaseException) -> InputError:
        return InputError(f"{self._name} is damaged ({type(error).__name__}): pack it again")
