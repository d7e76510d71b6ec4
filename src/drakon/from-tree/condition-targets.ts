import type { IconId } from "../icon-id.ts";
import type { Condition } from "../tree.ts";
import type { AskedQuestion, ExitTarget } from "./exit-targets.ts";

interface Asked {
  readonly id: IconId;
  readonly question: AskedQuestion;
  readonly yes: ExitTarget;
  readonly no: ExitTarget;
}

/** The questions of a condition with the targets of their answers: the next question while the condition is undecided. */
export function conditionTargets(
  condition: Condition,
  begin: ExitTarget,
  yes: ExitTarget,
  no: ExitTarget,
  nextId: () => IconId,
): Asked[] {
  const asked: Asked[] = [];
  const work = [{ condition, begin, yes, no }];
  for (let next = work.pop(); next; next = work.pop()) {
    const { condition: part } = next;
    if (part.is === "question") {
      const id = nextId();
      next.begin.icon = id;
      asked.push({ id, question: part, yes: next.yes, no: next.no });
    } else if (part.is === "not") work.push({ condition: part.of, begin: next.begin, yes: next.no, no: next.yes });
    else {
      const begins = part.of.map((_, index): ExitTarget => (index === 0 ? next.begin : {}));
      for (const [index, member] of part.of.entries()) {
        const onward = begins[index + 1];
        const undecided =
          part.is === "and" ? { yes: onward ?? next.yes, no: next.no } : { yes: next.yes, no: onward ?? next.no };
        work.push({ condition: member, begin: begins[index]!, ...undecided });
      }
    }
  }
  return asked;
}
