import type { Text } from "../../../base/text.ts";
import { keys, logicPath } from "../../../domain/layout.ts";
import type { LoadedContext } from "../../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import { splitDiagrams } from "../../../drakon/diagram/called-diagrams.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import type { Chain } from "./chain.ts";
import type { WhyLinkDraft } from "./why-report.ts";

export interface LogicFound {
  readonly link: WhyLinkDraft;
  readonly diagram: { readonly path: string; readonly text: string } | undefined;
}

/** The logic version of a run, read from git at the commit of the run, with its diagram if it has one. */
export async function logicLink(
  { garden }: Chain,
  slug: string,
  context: LoadedContext,
  depth: number,
): Promise<LogicFound> {
  const { logic_version: version, garden_commit: at } = context;
  const base = { kind: "logic" as const, id: version ?? "-", direction: "because" as const, depth };
  if (version === null) {
    const what = { en: "no logic version: the agent had none yet", uk: "без версії логіки: агент її ще не мав" };
    return { link: { ...base, where: at, what }, diagram: undefined };
  }
  const current = await textAt(garden, at, logicPath.current(slug, "meta"));
  const isCurrent = current !== undefined && versionIn(current) === version;
  const path = (part: "diagram" | "pseudo"): string =>
    isCurrent ? logicPath.current(slug, part) : logicPath.archived(slug, version, part);
  const [diagram, pseudo] = [await textAt(garden, at, path("diagram")), await textAt(garden, at, path("pseudo"))];
  return {
    link: {
      ...base,
      where: `${at}:${path(diagram === undefined ? "pseudo" : "diagram")}`,
      what: { en: `logic ${version} of ${slug}`, uk: `логіка ${version} агента ${slug}` },
      problems: diagram === undefined && pseudo === undefined ? [notThere(version)] : [],
    },
    diagram: diagram === undefined ? undefined : { path: path("diagram"), text: diagram },
  };
}

/** The icon of a step, looked up in the diagram of that version. */
export async function iconLink(
  { garden }: Chain,
  slug: string,
  step: StepRecord,
  { link, diagram: versioned }: LogicFound,
  depth: number,
): Promise<WhyLinkDraft> {
  const { icon, line, diagram } = step;
  const base = { kind: "icon" as const, id: icon ?? "?", direction: "because" as const, depth };
  if (icon === undefined) {
    const what = line === undefined ? noIcon : { en: `line ${line} of the pseudocode`, uk: `рядок ${line} псевдокоду` };
    return {
      ...base,
      where: versioned?.path ?? "",
      what,
      problems: versioned || line === undefined ? [unknownIcon] : [],
    };
  }
  const held = versioned && diagram !== undefined ? splitDiagrams(versioned.text).called.get(diagram) : undefined;
  // Diagrams that an old version calls are in the store only. They prove nothing if the version itself is missing.
  const others = diagram !== undefined && (link.problems ?? []).length === 0;
  const own = !others ? undefined : await garden.store.get(keys.diagram(slug, diagram)).catch(() => undefined);
  for (const [where, text] of [
    [versioned?.path, held ?? versioned?.text],
    [`store:${keys.diagram(slug, diagram ?? "")}`, own && Buffer.from(own.bytes).toString()],
  ] as const) {
    const found = text === undefined ? undefined : readDiagram(text).diagram.icons.get(icon);
    if (found && where !== undefined) {
      const said = found.text.replaceAll(/\s+/g, " ").slice(0, 200);
      return {
        ...base,
        where: `${where}#${icon}`,
        what: { en: `icon ${icon} “${said}”`, uk: `ікона ${icon} «${said}»` },
      };
    }
  }
  const where = versioned?.path ?? `store:${keys.diagram(slug, diagram ?? "?")}`;
  return { ...base, where, what: { en: `icon ${icon}`, uk: `ікона ${icon}` }, problems: [noSuchIcon] };
}

async function textAt({ repo }: Chain["garden"], at: string, path: string): Promise<string | undefined> {
  const file = await repo.read(at, path).catch(() => undefined);
  return file && Buffer.from(file.bytes).toString();
}

function versionIn(meta: string): unknown {
  try {
    return (JSON.parse(meta) as { logicVersion?: unknown } | null)?.logicVersion;
  } catch {
    return undefined;
  }
}

const noIcon: Text = { en: "unknown icon", uk: "ікона, якої ніхто не назвав" };
const unknownIcon: Text = { en: "the step does not name its icon", uk: "крок не каже, до якої ікони належить" };
const noSuchIcon: Text = {
  en: "the diagram of that version has no such icon",
  uk: "у діаграмі того часу такої ікони немає",
};
const notThere = (version: string): Text => ({
  en: `git has no ${version} at the commit of the run`,
  uk: `у git немає ${version} на коміті, з якого почався запуск`,
});
