"""A report's section on the scaling model: costs, predictions, bottlenecks."""

from __future__ import annotations

import string
from typing import Optional

import figures
import scaling
from document import Block, Details, Heading, Inline, Paragraph, Section, Table
from load import Json
from naming import filled
from units import milliseconds, number

SCALING = (
    "The model of a step's time is a sum of counts, each times a cost of at least 0 "
    "(analysis/scaling.py). The counts {source}: messages and bytes that a rank sends, and data that "
    "it reads and holds. The costs are fitted to the phase logs: median rank, all levels of a search, "
    "median over the sources. A step includes its waits for other ranks. Each number of ranks is "
    "predicted from the others (held out). Larger numbers are predicted from all, with the levels and "
    "the vertices a rank of the largest search. The range beside a sum comes from the largest error "
    "of a held-out sum, and is no confidence interval. A prediction decides no verdict.")


def scaling_section(result: Json, name: str) -> list[Block]:
    """Times and sent bytes of steps beside the scaling model, and its predictions. Its figures' files
    begin with the name."""
    blocks: list[Block] = []
    models = scaling.models(result)
    for letter, model in zip(string.ascii_lowercase, models):
        file = f"{name}-scaling" if letter == "a" else f"{name}-scaling-{letter}"
        blocks.append(Section(f"model-{file}", _model(model, result, file)))
    if not blocks:
        return []
    counted = any(cell.search.counted for model in models for cell in model.measured)
    text = SCALING.format(source="come from its log" if counted else "come from a formula")
    return [Section(f"scaling-{name}", [Heading(3, "Scaling model"), Details(
        "Costs and predictions", [Paragraph(text), *blocks])])]


def _model(model: scaling.Model, result: Json, file: str) -> list[Block]:
    blocks: list[Block] = [Heading(4, filled(model.name, result["cells"]))]
    if model.reason:
        blocks.append(Paragraph(f"No model: {model.reason}."))
    else:
        blocks += [_costs(model), Paragraph(_fit_notes(model))]
        if model.predicted_rank_counts():
            blocks.append(_predictions(model))
        blocks += [figures.picture(figures.draw_stacks(model, result), f"{file}-steps"),
                   figures.picture(figures.draw_model(model, result), file),
                   Paragraph(_binding(model))]
    return blocks + [Details("Steps by ranks: times, and bytes sent beside the formulas'",
                             [_steps_by_ranks(model)])]


def _error(error: float) -> str:
    return f"{round(100 * error) or 0:+d} %"  # never -0


def _errors(model: scaling.Model, step: Optional[str]) -> str:
    return ", ".join(f"{ranks}: {_error(error)}" for ranks, error in model.errors(step))


def _costs(model: scaling.Model) -> Table:
    rows: list[list[Inline]] = []
    for step in model.steps:
        if step not in model.fits:
            rows.append([step, "not fitted: the log has no counts of this step", ""])
            continue
        fit = model.fits[step]
        costs = [f"{number(cost)} ns {model.unit(term)}"
                 for term, cost in fit.costs.items() if cost]
        merged = [scaling.label(term) for term in fit.terms if term not in fit.costs]
        if merged and costs:
            costs.append(f"(not told apart from these here: {', '.join(merged)})")
        rows.append([step, "\n".join(costs) or "nothing", _errors(model, step)])
    rows.append(["all steps" if len(model.fits) == len(model.steps) else "all fitted steps", "",
                 _errors(model, None)])
    return Table(["Step", "Cost, fitted", "Predicted / measured - 1, by ranks held out"], rows,
                 {len(rows) - 1})


def _fit_notes(model: scaling.Model) -> str:
    counts = dict.fromkeys(str(cell.search.rank_count) for cell in model.fitted)
    text = f"Fitted to {', '.join(counts)} ranks"
    hosts = dict.fromkeys(host for cell in model.fitted for host in cell.hosts)
    if len(hosts) == 1:
        text += f", all on one host ({', '.join(hosts)}): the time of a network is not in it"
    left_out = dict.fromkeys(str(cell.search.rank_count) for cell in model.measured
                             if cell not in model.fitted)
    if left_out:
        text += f". Left out, because ranks shared places: {', '.join(left_out)} ranks"
    factor = model.largest_factor()
    return text + (f". The largest error of a held-out sum of all steps is a factor of {factor:.3g}."
                   if factor else ".")


def _predictions(model: scaling.Model) -> Table:
    factor = model.largest_factor()
    rows: list[list[Inline]] = []
    for count in model.predicted_rank_counts():
        times = model.times_ns(count)
        total = sum(times.values())
        rows.append([f"{count}", number(model.base.with_ranks(count).vertex_count),
                     *(milliseconds(times[step]) for step in model.steps),
                     milliseconds(total) + (f" [{milliseconds(total / factor)}, "
                                            f"{milliseconds(total * factor)}]" if factor else ""),
                     max(times, key=times.__getitem__)])
    return Table(["Ranks", "Vertices", *(f"{step}, ms" for step in model.steps),
                  "All steps, ms [by the largest held-out factor]", "Takes most"], rows)


def _binding(model: scaling.Model) -> str:
    """The bottleneck step and the growth of communication, or why nothing is predicted."""
    counts = model.predicted_rank_counts()
    refusal = _refusal(model)
    if not counts:
        return f"There is no prediction beyond the measured ranks.{refusal}"
    times = model.times_ns(counts[-1])
    binding = max(times, key=times.__getitem__)
    text = (f"With {counts[-1]} ranks {binding} binds: {milliseconds(times[binding])} of "
            f"{milliseconds(sum(times.values()))} ms.")
    growth = model.growth(*counts[-2:]) if len(counts) > 1 else None
    if growth is not None:
        text += (f" From {counts[-2]} to {counts[-1]} ranks the steps that send grow by the number of "
                 f"ranks to the power of {growth:.2f} (1 is linear, 0.5 the square root).")
    if model.most_ranks is not None and counts[-1] > model.most_ranks:
        text += (f" The search takes up to {model.most_ranks} ranks. Larger numbers assume a search "
                 "that takes them, and links like the measured ones between all ranks.")
    return text + refusal


def _refusal(model: scaling.Model) -> str:
    """Why some of the wanted numbers of ranks are not predicted; empty if all are."""
    wanted, exact = model.wanted_rank_counts(), model.exact_steps()
    if wanted and (model.uncounted_steps() or model.ungrown()):
        return _uncounted(model, wanted)
    refused = [count for count in wanted if model.undetermined(count)]
    measured = ", ".join(dict.fromkeys(str(cell.search.rank_count) for cell in model.fitted))
    text = ""
    if refused:
        steps = _by_step(model.undetermined(refused[-1]))
        text = (f" No prediction for {', '.join(map(str, refused))} ranks: on {measured} ranks "
                "some counts of a step grew alike, so that none of them has a cost of its own "
                f"({steps}). With more ranks they grow apart. Other numbers of ranks, or of vertices "
                "a rank, would tell them apart.")
    if wanted and exact:
        text += (f" No prediction for {', '.join(map(str, wanted))} ranks: on {measured} ranks a "
                 f"step has one cost for each number of ranks ({', '.join(exact)}). Such costs fit "
                 "any times. Another number of ranks would test them.")
    return text


def _by_step(terms: dict[str, list[str]]) -> str:
    return "; ".join(f"{step}: {', '.join(map(scaling.label, terms[step]))}" for step in terms)


def _uncounted(model: scaling.Model, wanted: list[int]) -> str:
    uncounted, ungrown = model.uncounted_steps(), _by_step(model.ungrown())
    reasons = [f"has no counts of these steps: {', '.join(uncounted)}"] if uncounted else []
    if ungrown:
        reasons.append(f"does not say how these counts grow with the ranks ({ungrown})")
    return (f" No prediction for {', '.join(map(str, wanted))} ranks: the log "
            f"{', and '.join(reasons)}.")


def _steps_by_ranks(model: scaling.Model) -> Table:
    rows: list[list[Inline]] = []
    for cell in model.measured:
        for step in model.steps:
            times = cell.steps[step]
            expected = cell.search.grown.get(f"{step}_{scaling.SENT_BYTES}")
            counted = times.sent_bytes
            fit = model.fits.get(step)
            rows.append([
                f"{cell.search.rank_count}", number(cell.search.vertex_count), step,
                *(milliseconds(time) for time in times[:3]),
                milliseconds(fit.time_ns(cell.search)) if fit else
                "no counts" if model.fits else "no model",
                "" if counted is None else f"{counted:.0f}",
                "" if counted is None else "no formula" if expected is None else f"{expected:.0f}",
                f"{counted / expected:.3f}" if counted is not None and expected else ""])
    return Table(["Ranks", "Vertices", "Step", "Fastest rank, ms", "Median, ms", "Slowest, ms",
                  "Fitted, ms", "Bytes sent", "By formula", "Sent / formula"], rows)
