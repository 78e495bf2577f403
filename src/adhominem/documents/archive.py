"""Reads zip archives that may be hostile: in memory, with limits on what they unpack to."""

import io
import struct
import zipfile
import zlib

from adhominem.documents.file_texts import FileLimits
from adhominem.errors import InputError

_OLE = b"\xd0\xcf\x11\xe0"  # begins documents with a password and documents of Word before 2007
_STEP = 64 * 1024
_SMALL = 1024 * 1024  # bytes of a file whose compression ratio is not checked
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ZIP_ERRORS = (  # raised by zipfile on damaged archives
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError),
)


class Archive:
    """A zip archive in memory. Names are compared and shown, but never used as paths."""

    def __init__(self, data: bytes, name: str, limits: FileLimits) -> None:
        self._name, self._limits = name, limits
        self._unpacked = 0
        if data.startswith(_OLE):
            raise InputError(f"{name} is locked by a password or of an old format: save it anew")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _ZIP_ERRORS as error:
            raise self._damaged(error) from None
        if len(self._zip.infolist()) > limits.max_rows:
            raise InputError(f"{name} holds more than {limits.max_rows:,} files")

    def members(self) -> list[zipfile.ZipInfo]:
        """The files, without folders and entries that have no name."""
        files = self._zip.infolist()
        return [file for file in files if file.filename and not file.filename.endswith("/")]

    def read(self, member: zipfile.ZipInfo) -> bytes:
        if member.flag_bits & 1:
            raise InputError(f"{self._name} is encrypted: unpack it first")
        if member.compress_type not in _KNOWN:
            raise InputError(f"{self._name} is packed in an unusual way: pack it as a plain zip")
        total, ratio = self._limits.max_unpacked, self._limits.max_ratio
        most, too_much = ratio * max(member.compress_size, 1), f"{self._name} unpacks to more than"
        content = bytearray()
        try:
            with self._zip.open(member) as stream:
                while piece := stream.read(_STEP):
                    content += piece
                    self._unpacked += len(piece)
                    if self._unpacked > total:
                        raise InputError(f"{too_much} {total >> 20} MB: give a part of it")
                    if len(content) > max(_SMALL, most):
                        raise InputError(f"{too_much} {ratio:.0f} times its size, as no text does")
        except _ZIP_ERRORS as error:
            raise self._damaged(error) from None
        return bytes(content)

    def has(self, path: str) -> bool:
        return path in self._zip.NameToInfo

    def read_named(self, path: str) -> bytes:
        if not self.has(path):
            raise InputError(f"{self._name} is not a whole document: it has no {path}")
        return self.read(self._zip.getinfo(path))

    def _damaged(self, error: BaseException) -> InputError:
        return InputError(f"{self._name} is damaged ({type(error).__name__}): pack it again")
