import { siteKey } from "./evidence.ts";
import { quotedText } from "./finding-text.ts";
import { liveNames } from "./icon-dataflow.ts";
import { observe } from "./observation.ts";
import { blamedIcon, contextIcons, type RepairCandidate, type RepairContext } from "./repair-context.ts";
import { onlyLooks } from "./smells.ts";

/** Removes a step: its result is not read, its request is repeated, or it overwrites a value that was good before. */
export function removeRepairs(context: RepairContext): RepairCandidate[] {
  const { finding, onlyReads, tree } = context;
  const step = blamedIcon(context);
  if (step?.does !== "step" || !onlyLooks(step, onlyReads)) return [];
  const remove = { op: "remove-step" as const, icon: finding.icon };
  const words = {
    uk: `Прибрати крок ${quotedText(step.text)}: без нього результат той самий.`,
    en: `Remove the step ${quotedText(step.text)}: the result is the same without it.`,
  };
  const { behind } = liveNames(tree);
  const needed = step.sets.filter((name) => behind[step.at]!.has(name));
  if (needed.length === 0) return [{ kind: "remove", operations: [remove], mends: 0.9, keeps: 0.97, words }];
  const source = sameAskedBefore(context);
  if (source !== undefined && step.sets.length === 1) {
    const text = `${step.sets[0]} ← ${source}`;
    return [
      {
        kind: "remove",
        operations: [{ op: "edit-text", icon: finding.icon, field: "content", text }],
        mends: 0.9,
        keeps: 0.97,
        words: {
          uk: `Не питати вдруге: замість ${quotedText(step.text)} узяти вже відоме, ${quotedText(text)}.`,
          en: `Do not ask a second time: instead of ${quotedText(step.text)} take what is known already, ${quotedText(text)}.`,
        },
      },
    ];
  }
  // The names had a value before, so they stay bound without the step.
  const rebinds = needed.every((name) =>
    [...contextIcons(context).values()].some((one) => one.at < step.at && one.sets.includes(name)),
  );
  return rebinds ? [{ kind: "remove", operations: [remove], mends: 0.6, keeps: 0.6, words }] : [];
}

/** The name that already holds the answer to the same request, if it is the same in all runs. */
function sameAskedBefore({ finding, program, runs, tree }: RepairContext): string | undefined {
  if (finding.smell !== "repeated") return undefined;
  const names = new Set<string | undefined>();
  for (const run of runs) {
    const { requests } = observe(run, program);
    for (const [index, request] of requests.entries()) {
      if (siteKey(request) !== siteKey(finding)) continue;
      const first = requests.slice(0, index).find(({ sem }) => sem === request.sem);
      names.add(first && keptUnder(first.icon));
    }
  }
  return names.size === 1 ? [...names][0] : undefined;

  function keptUnder(icon: string): string | undefined {
    const drawn = contextIcons({ tree } as RepairContext).get(icon);
    const [only, ...more] = drawn?.sets ?? [];
    return more.length === 0 ? only : undefined;
  }
}
