"""Certificates for tests of TLS, made with openssl."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.tools import missing

_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def make_certificates(folder: Path) -> None:
    """Write ca.pem, and cert.pem with key.pem, which the CA has signed, into a folder."""
    if shutil.which("openssl") is None:
        missing("openssl is not installed")
    folder.mkdir(exist_ok=True)
    _openssl(folder, "req", "-x509", *_KEY, "-subj", "/CN=CA", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem")
    _openssl(folder, "req", *_KEY, "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "cert.csr")
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"]
    _openssl(folder, "x509", "-req", "-in", "cert.csr", *signed, "-out", "cert.pem")


def _openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
