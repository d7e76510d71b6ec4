import { joined, type Text, verbatim } from "../../../base/text.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import { servedBy } from "../../../domain/contract/tool.ts";
import { type Action, actions } from "../../../domain/proposal/action.ts";
import { analyse } from "../../../drakon/expression/analyse.ts";
import type { Finding, FindingCode } from "../../../drakon/finding.ts";
import { calledFrom, checkInsertions } from "../../../drakon/insertions.ts";
import { meaningErrors } from "../../../drakon/meaning.ts";
import type { Tree } from "../../../drakon/tree.ts";
import { type AgentDiagram, MAIN_DIAGRAM, originFile } from "./agent-diagrams.ts";
import type { GateCheck } from "./gate-check.ts";

/**
 * Static checks of an agent's diagrams (L-8, D-2a): they are well formed, every icon is reachable, every loop ends, and
 * what they call and propose is allowed by the contract.
 */
export interface StaticCheck {
  readonly rows: readonly GateCheck[];
  readonly findings: readonly (Finding & { readonly file: string })[];
}

export function checkStatically(contract: Contract, diagrams: readonly AgentDiagram[]): StaticCheck {
  const origin = contract.generated_from === undefined ? undefined : originFile(contract.generated_from);
  const main = diagrams.find(({ file }) => file === (origin ?? MAIN_DIAGRAM));
  if (!main) return { rows: [withoutDiagram(contract, origin)], findings: [] };
  const used = usedFrom(main, diagrams);
  const findings = [
    ...used.flatMap(({ file, checked }) => checked.findings.map((found) => ({ ...found, file }))),
    ...used.flatMap(({ file, checked }) =>
      (checked.tree ? meaningErrors(checked.tree) : []).map((found) => ({ ...found, file })),
    ),
    ...checkInsertions(named(diagrams)).findings.filter(({ file }) => used.some((one) => one.file === file)),
  ];
  const trees = used.flatMap(({ checked }) => checked.tree ?? []);
  const about = (codes: readonly FindingCode[]): typeof findings => findings.filter(({ code }) => codes.includes(code));
  const errors = findings.filter(({ severity }) => severity === "error");
  return {
    findings,
    rows: [
      row("diagram", DIAGRAM, errors.map(findingWords), {
        en: `${used.map(({ file }) => file).join(", ")} can be carried out`,
        uk: `${used.map(({ file }) => file).join(", ")} можна виконати`,
      }),
      row("reachable", REACHABLE, about(["W-UNREACHABLE", "W-BRANCH-UNREFERENCED"]).map(findingWords), ALL_REACHED),
      row("loops", LOOPS, about(["W-ENDLESS", "W-NO-END"]).map(findingWords), ALL_END),
      toolsRow(contract, trees),
      outputsRow(contract, trees),
      stepsRow(contract, trees),
    ],
  };
}

/** The main diagram and those that it calls, directly or not. */
function usedFrom(main: AgentDiagram, diagrams: readonly AgentDiagram[]): AgentDiagram[] {
  const called = new Set(calledFrom(main.file, named(diagrams)));
  return diagrams.filter(({ file }) => file === main.file || called.has(file));
}

const named = (diagrams: readonly AgentDiagram[]) =>
  diagrams.map(({ file, checked }) => ({ file, diagram: checked.diagram }));

/** A call of a tool that is not granted would be refused during a run. */
function toolsRow(contract: Contract, trees: readonly Tree[]): GateCheck {
  const granted = new Set<string>([...contract.tools, ...contract.mcp.flatMap(({ tools }) => tools)]);
  const called = [...new Set(trees.flatMap((tree) => analyse(tree).calls.map(({ name }) => name)))];
  const missing = called.filter((name) => !granted.has(name));
  return row(
    "tools-used",
    TOOLS_USED,
    missing.map((name) => ({
      en: `the diagram calls ${name}, which is not in tools[]`,
      uk: `діаграма викликає ${name}, якого немає в tools[]`,
    })),
    called.length === 0 ? CALLS_NOTHING : verbatim(called.join(", ")),
  );
}

/** C-5: what the diagram proposes must be in `safe_outputs[]`; an output that is never proposed is a warning. */
function outputsRow(contract: Contract, trees: readonly Tree[]): GateCheck {
  const mentioned = new Set(trees.flatMap(actionsIn));
  const proposes = [...mentioned].filter((action) => !contract.safe_outputs.some((output) => output === action));
  if (proposes.length > 0) {
    const words = proposes.map((action) => ({
      en: `the diagram proposes ${action}, which is not in safe_outputs[]`,
      uk: `діаграма пропонує ${action}, чого немає в safe_outputs[]`,
    }));
    return row("outputs-used", OUTPUTS_USED, words, NOTHING);
  }
  const called = new Set(trees.flatMap((tree) => analyse(tree).calls.map(({ name }) => name)));
  const served = new Set([...called].filter((name) => name !== "create-proposal").flatMap(servedBy));
  const unused = contract.safe_outputs.filter((output) => !mentioned.has(output) && !served.has(output));
  if (unused.length === 0)
    return row(
      "outputs-used",
      OUTPUTS_USED,
      [],
      verbatim([...mentioned].join(", ") || contract.safe_outputs.join(", ")),
    );
  return {
    id: "outputs-used",
    title: OUTPUTS_USED,
    result: "warning",
    words: {
      en: `the diagram never proposes ${unused.join(", ")}: it may do more than it needs`,
      uk: `діаграма ніколи не пропонує ${unused.join(", ")}: дозволено більше, ніж потрібно`,
    },
  };
}

/** Actions named in the text of any icon. */
export function actionsIn(tree: Tree): Action[] {
  const texts = JSON.stringify(tree.branches);
  return actions.filter((action) => new RegExp(`(?<![\\w-])${action}(?![\\w-])`).test(texts));
}

/** In `flow` mode every icon in words is one model call per pass; loops add to that. */
function stepsRow(contract: Contract, trees: readonly Tree[]): GateCheck {
  const inWords = trees.flatMap((tree) => [...analyse(tree).icons.values()]).filter((kind) => kind === "words").length;
  const tooMany = contract.execution === "flow" && inWords > contract.max_steps;
  const bound = contract.budget.tokens ?? contract.budget.calls;
  return {
    id: "steps",
    title: STEPS,
    result: tooMany ? "warning" : "pass",
    words: {
      en: `${inWords} icons in words, max_steps ${contract.max_steps}${bound === undefined ? "" : ", with a budget"}`,
      uk: `ікон словами: ${inWords}, max_steps ${contract.max_steps}${bound === undefined ? "" : ", з бюджетом"}`,
    },
  };
}

function withoutDiagram(contract: Contract, origin: string | undefined): GateCheck {
  if (origin !== undefined) {
    const words = {
      en: `generated_from names ${origin}, which is not there`,
      uk: `generated_from називає ${origin}, якого немає`,
    };
    return row("diagram", DIAGRAM, [words], NOTHING);
  }
  if (contract.execution === "flow")
    return row(
      "diagram",
      DIAGRAM,
      [{ en: "execution: flow needs a diagram", uk: "execution: flow потребує діаграми" }],
      NOTHING,
    );
  return { id: "diagram", title: DIAGRAM, result: "skipped", words: { en: "there is none", uk: "її немає" } };
}

/** Fails with the first few problems, else passes with the given text. */
function row(id: GateCheck["id"], title: Text, wrong: readonly Text[], right: Text): GateCheck {
  if (wrong.length === 0) return { id, title, result: "pass", words: right };
  const more = wrong.length > MAX_TOLD ? [verbatim(`… +${wrong.length - MAX_TOLD}`)] : [];
  return { id, title, result: "fail", words: joined([...wrong.slice(0, MAX_TOLD), ...more], "; ") };
}

const MAX_TOLD = 5;

function findingWords({ file, icon, iconText, message }: Finding & { file: string }): Text {
  const text = (iconText ?? "").replace(/\s+/g, " ").slice(0, 40);
  const place = icon === undefined ? file : `${file} [${icon}${text && ` “${text}”`}]`;
  return { en: `${place}: ${message.en}`, uk: `${place}: ${message.uk}` };
}

const DIAGRAM: Text = { en: "the diagram has a meaning", uk: "діаграма має зміст" };
const REACHABLE: Text = { en: "every icon is reached", uk: "до кожної ікони є шлях" };
const LOOPS: Text = { en: "every loop has an exit", uk: "кожен цикл має вихід" };
const TOOLS_USED: Text = { en: "what the diagram calls is granted", uk: "те, що викликає діаграма, дозволено" };
const OUTPUTS_USED: Text = { en: "what the diagram proposes is granted", uk: "те, що пропонує діаграма, дозволено" };
const STEPS: Text = { en: "a bound on steps", uk: "межа кількості кроків" };
const ALL_REACHED: Text = { en: "all of them", uk: "до всіх" };
const ALL_END: Text = { en: "all of them", uk: "усі" };
const CALLS_NOTHING: Text = { en: "it calls nothing", uk: "вона нічого не викликає" };
const NOTHING: Text = { en: "", uk: "" };
