"""`supple doctor`: whether this machine has what Supple needs."""

import importlib.metadata
import importlib.util
import os
import platform
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

import numpy as np
import typer

import supple
from supple.cli.errors import CommandError
from supple.cli.output import console, print_json

PACKAGES = ("jax", "jaxlib", "equinox", "jaxtyping", "numpy", "mujoco", "safetensors", "llvmlite", "typer", "rich")
EXTRAS = {"plot": ("matplotlib",), "test": ("pytest", "hypothesis", "beartype", "pinocchio", "gymnasium")}
VECTOR_UNITS = ("sse2", "avx", "avx2", "fma", "avx512f", "neon", "sve")
TOLERANCE = 1e-12  # of the largest entry of the mass matrix

PROBE = """
<mujoco>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" type="ball"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03" density="1000"/>
      <body name="lower" pos="0 0 -0.4">
        <joint name="elbow" type="hinge" axis="0 1 0" armature="0.01"/>
        <joint name="reach" type="slide" axis="0 0 1"/>
        <geom type="box" size="0.05 0.02 0.15" pos="0 0.01 -0.15" density="700"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

Status = Literal["ok", "missing", "failed"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `missing` is no failure, because it is optional."""

    name: str
    status: Status
    detail: str


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Look at versions, processor, precision and cache, and compare a mass matrix with MuJoCo's."""
    findings = [_versions(), _processor(), *(_look(name, look) for name, look in LOOKS.items())]
    findings += [_extra(name, modules) for name, modules in EXTRAS.items()]
    failed = [finding.name for finding in findings if finding.status == "failed"]
    if as_json:
        print_json({"healthy": not failed, "findings": [asdict(finding) for finding in findings]})
    else:
        _print_findings(findings)
    if failed:
        raise CommandError(f"not healthy: {', '.join(failed)}; reinstalling often helps: pip install --upgrade supple")


def _print_findings(findings: list[Finding]) -> None:
    out, styles = console(), {"ok": "green", "missing": "yellow", "failed": "bold red"}
    for finding in findings:
        out.print(f"{finding.status:8}{finding.name:12}{finding.detail}", style=styles[finding.status])


def _look(name: str, look: Callable[[], str]) -> Finding:
    # a sick installation may raise anything, and the other findings must still be reported
    try:
        return Finding(name, "ok", look())
    except Exception as error:
        return Finding(name, "failed", " ".join(f"{type(error).__name__}: {error}".split()))


def _versions() -> Finding:
    found = [f"supple {supple.__version__}", f"python {platform.python_version()}"]
    missing: list[str] = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    if missing:
        return Finding("versions", "failed", f"{', '.join(missing)} not installed; {', '.join(found)}")
    return Finding("versions", "ok", ", ".join(found))


def _processor() -> Finding:
    detail = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return Finding("processor", "ok", detail)


def _compiler() -> str:
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    units = [unit for unit in VECTOR_UNITS if features.get(unit)]
    version = ".".join(str(part) for part in llvm.llvm_version_info)
    return f"LLVM {version} for {llvm.get_host_cpu_name()} ({', '.join(units) or 'no vector unit'})"


def _devices() -> str:
    import jax

    return ", ".join(f"{device.platform} {device.device_kind}" for device in jax.devices())


def _float64() -> str:
    import jax
    import jax.numpy as jnp

    with jax.enable_x64(True):
        rounding = float(jax.jit(lambda x: (x + 1) - 1)(jnp.asarray(1e-12)))
    if abs(rounding - 1e-12) > 1e-15:
        raise CommandError(f"1 + 1e-12 - 1 is {rounding:g}: arithmetic is not in float64")
    return "compiled arithmetic is in double precision"


def _cache() -> str:
    from supple.native.cache import location

    folder = location()
    if folder is None:
        return "off, as SUPPLE_CACHE says"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"probe")
    return f"{folder} can be written"


def _mujoco() -> str:
    import mujoco

    return f"compiles MJCF (library {mujoco.mj_versionString()}, {mujoco.MjModel.from_xml_string(PROBE).nv} dof)"


def _self_test() -> str:
    """Compare M(q) of a ball, a hinge and a slide joint at one configuration."""
    import jax
    import mujoco

    from supple.describe.load import load
    from supple.dynamics import crba

    theirs = mujoco.MjModel.from_xml_string(PROBE)
    data = mujoco.MjData(theirs)
    data.qpos = [0.8, 0.2, -0.4, 0.4, 0.7, 0.05]
    mujoco.mj_forward(theirs, data)
    expected = np.zeros((theirs.nv, theirs.nv))
    mujoco.mj_fullM(theirs, data, expected)
    with jax.enable_x64(True):
        ours = np.asarray(jax.jit(crba)(load(PROBE), data.qpos))
    error = np.max(np.abs(ours - expected)) / np.max(np.abs(expected))
    if not error <= TOLERANCE:
        raise CommandError(f"the mass matrix differs from MuJoCo's by {error:.1e} of its largest entry")
    return f"the mass matrix is MuJoCo's to {error:.1e} of its largest entry"


def _extra(name: str, modules: tuple[str, ...]) -> Finding:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        return Finding(f"extra {name}", "missing", f"no {', '.join(missing)}; optional: pip install 'supple[{name}]'")
    return Finding(f"extra {name}", "ok", f"installed: {', '.join(modules)}")


LOOKS: dict[str, Callable[[], str]] = {
    "compiler": _compiler,
    "devices": _devices,
    "float64": _float64,
    "cache": _cache,
    "mujoco": _mujoco,
    "self-test": _self_test,
}
