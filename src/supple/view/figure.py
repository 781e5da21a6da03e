"""Figures of a motion, for people. Matplotlib is loaded only here, and only when a figure is drawn."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from supple.model.joint import JointKind
from supple.model.model import Model

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

MOST_LINES = 8  # a panel with more cannot be read
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#6b6b6b")
INK, FAINT = "#222222", "#8a8a8a"


@dataclass(frozen=True)
class _Curve:
    name: str
    values: np.ndarray


def draw_motion(
    model: Model,
    time: Float[np.ndarray, " samples"],
    q: Float[np.ndarray, "samples nq"],
    kinetic_energy: Float[np.ndarray, " samples"],
    potential_energy: Float[np.ndarray, " samples"],
) -> "matplotlib.figure.Figure":
    """Joint angles (rad), displacements (m) and energy (J) over time (s), one panel each.

    A ball joint or the orientation of a free joint is shown by how far it has turned since the start. Where a panel
    would have more than eight curves, the eight that move most are drawn, and its title says so. Potential energy
    is measured from its value at the start.
    """
    from matplotlib.figure import Figure

    curves = {"angle, rad": _angles(model, q), "displacement, m": _displacements(model, q)}
    shown = {unit: lines for unit, lines in curves.items() if lines}
    figure = Figure(figsize=(9, 0.8 + 2.3 * (len(shown) + 1)), dpi=160, layout="constrained")
    panels = figure.subplots(len(shown) + 1, 1, sharex=True, squeeze=False)[:, 0]
    for axes, (unit, lines) in zip(panels, shown.items(), strict=False):
        _draw_curves(axes, time, lines, unit)
    _draw_energy(panels[-1], time, kinetic_energy, potential_energy)
    panels[-1].set_xlabel("time, s", color=INK)
    panels[-1].set_xlim(time[0], time[-1])
    figure.suptitle(model.name, x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    return figure


def _angles(model: Model, q: np.ndarray) -> list[_Curve]:
    result: list[_Curve] = []
    for name, kind, start in zip(model.joints.names, model.joints.kinds, model.joints.q_starts, strict=True):
        if kind is JointKind.HINGE:
            result.append(_Curve(name, q[:, start]))
        elif kind in {JointKind.BALL, JointKind.FREE}:
            end = start + kind.nq
            result.append(_Curve(f"{name} (turned)", _turned(q[:, end - 4 : end])))
    return result


def _displacements(model: Model, q: np.ndarray) -> list[_Curve]:
    result: list[_Curve] = []
    for name, kind, start in zip(model.joints.names, model.joints.kinds, model.joints.q_starts, strict=True):
        if kind is JointKind.SLIDE:
            result.append(_Curve(name, q[:, start]))
        elif kind is JointKind.FREE:
            result += [_Curve(f"{name} {axis}", q[:, start + i]) for i, axis in enumerate("xyz")]
    return result


def _turned(quaternions: np.ndarray) -> np.ndarray:
    """The angle between the first orientation and each, in [0, π]: 2 acos |q₀ · q|."""
    cosine = np.abs(quaternions @ quaternions[0])
    return 2 * np.arccos(np.clip(cosine, 0, 1))


def _draw_curves(axes: "matplotlib.axes.Axes", time: np.ndarray, curves: list[_Curve], unit: str) -> None:
    title = unit
    if len(curves) > MOST_LINES:
        title = f"{unit} ({MOST_LINES} of {len(curves)}, those that move most)"
        most = sorted(curves, key=lambda curve: -np.ptp(curve.values))[:MOST_LINES]
        curves = [curve for curve in curves if curve in most]
    for curve, colour in zip(curves, COLOURS, strict=False):
        axes.plot(time, curve.values, color=colour, linewidth=1.4, label=curve.name)
    _finish(axes, title)


def _draw_energy(axes: "matplotlib.axes.Axes", time: np.ndarray, kinetic: np.ndarray, potential: np.ndarray) -> None:
    potential = potential - potential[0]
    axes.plot(time, kinetic, color=COLOURS[1], linewidth=1.2, label="kinetic")
    axes.plot(time, potential, color=COLOURS[0], linewidth=1.2, label="potential")
    axes.plot(time, kinetic + potential, color=INK, linewidth=1.8, label="total")
    _finish(axes, "energy, J (potential energy counted from the start)")


def _finish(axes: "matplotlib.axes.Axes", title: str) -> None:
    axes.set_title(title, loc="left", fontsize=10, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=9, color=FAINT)
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.margins(x=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=9, labelcolor=INK)
