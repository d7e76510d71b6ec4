import type { Text } from "../../../base/text.ts";
import { contractHash } from "../../../domain/contract/contract-file.ts";
import { propertiesIn } from "../../../domain/note/note-properties.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { RunRequest } from "../../../domain/run/run.ts";
import { journalId, type LoadedContext } from "../../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import type { Story, StoryLink } from "../../../domain/why/story.ts";
import { splitDiagrams } from "../../../drakon/diagram/called-diagrams.ts";
import { type Journal, type RunPlace, readJournal } from "../../core/flow/journal.ts";
import { newChain, type WhyGarden } from "./chain.ts";
import { type ContractCommit, findContractCommit } from "./contract-commit.ts";
import { iconLink, logicLink } from "./logic-links.ts";
import { contextOf, runProblems } from "./run-links.ts";
import { check, checksOf, storyLink } from "./story-checks.ts";
import { actionsText } from "./story-proposal.ts";

interface Origin {
  readonly links: readonly StoryLink[];
  readonly diagram?: Story["diagram"];
}

/**
 * The links before a proposal: the wish of a person, or an agent's purpose, permission, run and step. `call`: the step that made a commit of
 * a session, in place of the one that proposed to merge it.
 */
export async function originStory(
  garden: WhyGarden,
  proposal: Proposal,
  call?: { readonly step: number; readonly commit: string },
): Promise<Origin> {
  const { source } = proposal;
  if (source.type !== "agent" || source.token !== undefined)
    return {
      links: [
        storyLink({
          kind: "wish",
          at: source.timestamp,
          who: { name: source.identity, isAgent: source.type === "agent" },
          title: { en: `${source.identity} asked for it`, uk: `${source.identity}: прохання` },
          ...(proposal.summary.trim() !== "" && { words: proposal.summary.slice(0, 1000) }),
          checks: [
            check(true, { en: "Recorded in the inbox when it came in", uk: "Записано у скриньці, коли надійшло" }),
          ],
        }),
      ],
    };
  const place = { slug: source.identity, run: source.run_id ?? "" };
  const journal = await readableJournal(garden, place);
  const context = journal && contextOf(journal);
  if (!journal || !context) return { links: [goneRun(place, proposal)] };
  const hash = contractHash(context.contract);
  const origin = await findContractCommit(garden, place.slug, { hash, pinned: context.garden_commit });
  const contract = { hash, origin, context, manifestHash: journal.manifest?.contract_hash };
  const step = journal.records.find(({ position, proposals, output }) =>
    call
      ? position === call.step && JSON.stringify(output ?? null).includes(call.commit)
      : proposals.includes(proposal.id),
  );
  const told = await stepStory(garden, place, journal, context, { step, madeCommit: call !== undefined });
  return {
    links: [
      wishStory(place.slug, contract),
      permissionStory(place.slug, contract, proposal),
      runStory(place, journal, context, proposal),
      told.link,
    ],
    ...(told.diagram && { diagram: told.diagram }),
  };
}

async function readableJournal({ store }: WhyGarden, place: RunPlace): Promise<Journal | undefined> {
  if (!/^run_[0-9a-z_-]{1,60}$/.test(place.run)) return undefined;
  return readJournal(store, place).catch(() => undefined);
}

const goneRun = ({ slug, run }: RunPlace, { created_at }: Proposal): StoryLink =>
  storyLink({
    kind: "run",
    at: created_at,
    who: { name: slug, isAgent: true },
    title: { en: "The record of the run is gone", uk: "Запису запуску немає" },
    detail: { en: `The proposal names ${run}.`, uk: `Пропозиція називає ${run}.` },
    checks: [
      check(undefined, {
        en: "Nothing to check wish, permission and step against on this machine; a backup may have it",
        uk: "На цій машині немає з чим звірити бажання, дозвіл і крок; запис може бути в резервній копії",
      }),
    ],
  });

interface ContractFacts {
  readonly hash: string;
  readonly origin: ContractCommit | undefined;
  readonly context: LoadedContext;
  readonly manifestHash: string | undefined;
}

const inCommit = (origin: ContractCommit | undefined) =>
  check(
    origin === undefined ? undefined : true,
    origin === undefined
      ? { en: "no commit has this contract", uk: "жоден коміт не має цього контракту" }
      : { en: `it stands in commit ${origin.commit.slice(0, 8)}`, uk: `він є в коміті ${origin.commit.slice(0, 8)}` },
  );

const valuesOf = (contract: string, name: string): readonly string[] =>
  propertiesIn(contract).find((property) => property.name === name)?.values ?? [];

function wishStory(slug: string, { hash, origin, context }: ContractFacts): StoryLink {
  const who = origin?.by;
  const [purpose] = valuesOf(context.contract, "description");
  return storyLink({
    kind: "wish",
    ...(origin && { at: origin.at, who: { name: origin.by, isAgent: false } }),
    title:
      who === undefined
        ? { en: `Purpose of ${slug}`, uk: `Призначення агента ${slug}` }
        : { en: `${who} asked for it`, uk: `${who}: прохання` },
    ...(purpose !== undefined && { words: purpose }),
    checks: [
      check(
        hash === context.contract_hash,
        { en: `Purpose of ${slug}, as the run read it`, uk: `Призначення агента ${slug}, яким його прочитав запуск` },
        { en: "the recorded contract does not match its hash", uk: "записаний контракт не відповідає своєму хешу" },
      ),
      inCommit(origin),
    ],
    target: { kind: "agent", id: slug },
  });
}

function permissionStory(
  slug: string,
  { hash, origin, context, manifestHash }: ContractFacts,
  proposal: Proposal,
): StoryLink {
  const what = actionsText[proposal.action];
  const who = origin?.by;
  const isAllowed = valuesOf(context.contract, "safe_outputs").includes(proposal.action);
  const version = context.agent_version.replace(/^v/, "");
  return storyLink({
    kind: "permission",
    ...(origin && { at: origin.at }),
    title:
      who === undefined
        ? { en: `${slug} may propose ${what.en}`, uk: `${slug} може пропонувати ${what.uk}` }
        : { en: `${who} let ${slug} propose ${what.en}`, uk: `${who}: дозвіл агенту ${slug} пропонувати ${what.uk}` },
    checks: [
      check(
        isAllowed,
        {
          en: `Contract ${version}, ${hash.slice(0, 8)}, allows it`,
          uk: `Контракт ${version}, ${hash.slice(0, 8)}, це дозволяє`,
        },
        { en: `contract ${version} does not allow ${what.en}`, uk: `контракт ${version} не дозволяє ${what.uk}` },
      ),
      check(
        manifestHash === undefined ? undefined : manifestHash === hash,
        { en: "in force during the run", uk: "чинний під час запуску" },
        { en: "the run ended under another contract", uk: "запуск завершився за іншим контрактом" },
      ),
    ],
    target: { kind: "agent", id: slug },
  });
}

function runStory({ slug, run }: RunPlace, journal: Journal, context: LoadedContext, proposal: Proposal): StoryLink {
  const { request, manifest, records } = journal;
  const at = manifest?.started_at ?? request?.requested_at;
  return storyLink({
    kind: "run",
    ...(at !== undefined && { at }),
    who: { name: slug, isAgent: true },
    title: { en: `Run of ${slug}`, uk: `Запуск агента ${slug}` },
    ...(request && { detail: startText(request) }),
    checks: [
      ...checksOf(runProblems(journal, context, proposal), {
        en: `${records.length} ${records.length === 1 ? "step" : "steps"} recorded, none missing`,
        uk: `Кроків у записі: ${records.length}, жодного не бракує`,
      }),
      ...(manifest
        ? [
            check(manifest.journal === journalId(journal.objects), {
              en: `record ${manifest.journal.slice(0, 8)}`,
              uk: `запис ${manifest.journal.slice(0, 8)}`,
            }),
          ]
        : [check(undefined, { en: "the run has not ended", uk: "запуск ще не завершився" })]),
    ],
    target: { kind: "run", id: run },
  });
}

const startText = ({ trigger, by, cause }: RunRequest): Text =>
  trigger === "manual"
    ? { en: `Started by ${by}`, uk: `Запустив ${by}` }
    : trigger === "cron"
      ? {
          en: `Started by its schedule${cause === undefined ? "" : `, ${cause}`}`,
          uk: `Запущено за розкладом${cause === undefined ? "" : `, ${cause}`}`,
        }
      : trigger === "agent"
        ? { en: `Asked for by ${by}, run ${cause ?? ""}`, uk: `Покликав ${by}, запуск ${cause ?? ""}` }
        : { en: `Started by the event ${cause ?? ""}`, uk: `Запустила подія ${cause ?? ""}` };

async function stepStory(
  garden: WhyGarden,
  { slug, run }: RunPlace,
  journal: Journal,
  context: LoadedContext,
  { step, madeCommit }: { readonly step: StepRecord | undefined; readonly madeCommit: boolean },
): Promise<{ readonly link: StoryLink; readonly diagram?: NonNullable<Story["diagram"]> }> {
  const total = journal.records.length;
  if (!step)
    return {
      link: storyLink({
        kind: "step",
        title: { en: "No step of the run names this proposal", uk: "Жоден крок запуску не називає цієї пропозиції" },
        checks: [check(false, { en: `${total} steps read`, uk: `Прочитано кроків: ${total}` })],
        target: { kind: "run", id: run },
      }),
    };
  const chain = newChain(garden);
  const logic = await logicLink(chain, slug, context, 0);
  const icon = await iconLink(chain, slug, step, logic, 0);
  const hasLogic = context.logic_version !== null;
  const isIconFound = (icon.problems ?? []).length === 0;
  return {
    link: storyLink({
      kind: "step",
      at: step.finished_at,
      title: {
        en: `Step ${step.position} of ${total}: ${step.name}`,
        uk: `Крок ${step.position} з ${total}: ${step.name}`,
      },
      ...(step.icon !== undefined && isIconFound && { detail: icon.what }),
      checks: [
        check(
          true,
          madeCommit ? NAMES_COMMIT : { en: "The step names this proposal", uk: "Крок називає цю пропозицію" },
        ),
        ...(hasLogic
          ? [
              (logic.link.problems ?? []).length > 0
                ? check(undefined, {
                    en: `git has no logic ${context.logic_version}`,
                    uk: `у git немає логіки ${context.logic_version}`,
                  })
                : check(isIconFound ? true : undefined, {
                    en: isIconFound ? `its icon is in logic ${context.logic_version}` : "its icon is not known",
                    uk: isIconFound ? `його ікона є в логіці ${context.logic_version}` : "його ікона невідома",
                  }),
            ]
          : []),
      ],
      target: { kind: "run", id: run },
    }),
    ...(logic.diagram &&
      step.icon !== undefined && {
        diagram: {
          agent: slug,
          version: context.logic_version ?? "",
          // A step of a called diagram is shown in that diagram.
          text: splitDiagrams(logic.diagram.text).called.get(step.diagram ?? "") ?? logic.diagram.text,
          icon: step.icon,
        },
      }),
  };
}

const NAMES_COMMIT: Text = {
  en: "The step names this commit of the session",
  uk: "Крок називає цей коміт сесії",
};
