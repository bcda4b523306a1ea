# SPDX-License-Identifier: MIT
"""Makes the wheel: what pip calls for `pip install .` (PEP 517), and `./dev wheel`.

CMake builds the extension into build-wheel, it is stripped, and put into a zip file with the package around it. Nothing
but Python's own library is needed, so that nothing has to be fetched. The wheel is for Python 3.11 and all later
ones (abi3). libyaml, libzstd and zlib are in it where their archives are found (Debian's -dev packages have them); else
the wheel wants those of the system it is used on."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build-wheel"
# The code that the tests see, without what nobody calls: -O3, CMake's own, makes it half as large again.
OPTIMISED = ["-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG -ffunction-sections -fdata-sections "
             "-fno-asynchronous-unwind-tables"]


def version():
    text = (ROOT / "include/weft/base.h").read_text()
    return ".".join(re.search(rf"WEFT_VERSION_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


def tag():
    return "cp311-abi3-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def metadata():
    head = f"Metadata-Version: 2.1\nName: weft\nVersion: {version()}\nRequires-Python: >=3.11\nLicense: MIT\n"
    about = "Summary: Drapes cloth: simulation of sheets and garments in SI units\n"
    return head + about + "Provides-Extra: numpy\nRequires-Dist: numpy; extra == 'numpy'\n"


def archives():
    """Options that have the linker find these as archives, before the shared libraries of the system."""
    folder = BUILD / "archives"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("libyaml.a", "libzstd.a", "libz.a"):
        found = subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
        if os.path.isabs(found) and not (folder / name).exists():
            (folder / name).symlink_to(found)
    zlib = [f"-DZLIB_LIBRARY={folder / 'libz.a'}"] if (folder / "libz.a").exists() else []
    return [f"-DCMAKE_MODULE_LINKER_FLAGS=-L{folder} -Wl,--gc-sections", *zlib]


def build_extension():
    options = [*archives(), "-DCMAKE_BUILD_TYPE=Release", *OPTIMISED, "-DWEFT_COMMAND=OFF", "-DWEFT_BENCH=OFF",
               "-DWEFT_TESTS=OFF", "-DWEFT_SAMPLES=OFF"]
    generator = ["-G", "Ninja"] if subprocess.run(["which", "ninja"], capture_output=True).returncode == 0 else []
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(BUILD), *generator, *options], check=True)
    subprocess.run(["cmake", "--build", str(BUILD), "--target", "weft_python", "-j", str(os.cpu_count() or 1)],
                   check=True)
    made = BUILD / "python/weft/_weft.abi3.so"
    stripped = BUILD / "_weft.abi3.so"
    subprocess.run(["strip", "-o", str(stripped), str(made)], check=True)
    return stripped


def contents():
    """Names in the wheel, and their bytes."""
    yield "weft/_weft.abi3.so", build_extension().read_bytes()
    for file in sorted((BUILD / "python/weft").iterdir()):
        if file.suffix in (".py", ".pyi", ".typed", ".html", ".css", ".js"):
            yield "weft/" + file.name, file.read_bytes()
    info = f"weft-{version()}.dist-info/"
    yield info + "METADATA", metadata().encode()
    yield info + "WHEEL", f"Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    yield info + "licenses/LICENSE", (ROOT / "LICENSE").read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"weft-{version()}-{tag()}.whl"
    record = f"weft-{version()}.dist-info/RECORD"
    lines = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path, data in contents():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{path},sha256={digest},{len(data)}\n")
            wheel.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 9)
        wheel.writestr(zipfile.ZipInfo(record, (2020, 1, 1, 0, 0, 0)), "".join(lines) + record + ",,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the source is the repository itself")
