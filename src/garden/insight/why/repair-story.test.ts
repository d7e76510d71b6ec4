import { expect, test } from "vitest";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { decide } from "../../changes/proposals/decide.ts";
import { closeFound, closeGarden, findGarden, type Garden, openGarden } from "../../core/garden.ts";
import { files, git, testPorts } from "../../testing/scratch.ts";
import { tendedCopies } from "../../testing/tended-garden.ts";
import { verifyGarden } from "../verify/verify.ts";
import { explain } from "./explain.ts";
import { keepWords } from "./kept-words.ts";
import { proposeApproved } from "./propose-approved.ts";
import { tellStory } from "./story.ts";

const made = tendedCopies();
const LINE = "notes/a.md:1";
const by = commandLineOwner;

/** A copy of the garden in which somebody committed other words under the trailers of an approved change. */
async function forged<T>(use: (garden: Garden, commit: string, dir: string) => Promise<T>): Promise<T> {
  const dir = made.copy();
  const real = made.tended.proposals.byAgent.apply_result!.git_commit!;
  const message = git(dir, "log", "-1", "--format=%B", real);
  files(dir, { "notes/a.md": "Forged.\n" });
  git(dir, "commit", "-qam", message);
  const garden = await openGarden(testPorts(), dir);
  try {
    return await use(garden, git(dir, "rev-parse", "HEAD"), dir);
  } finally {
    await closeGarden(garden);
  }
}

const commitLink = async (garden: Garden) =>
  (await tellStory(garden, LINE))!.links.find(({ kind }) => kind === "commit")!;

test("P-11 a broken story offers the approved words as a proposal, and approving it mends the line", async () => {
  await forged(async (garden, commit, dir) => {
    const broken = await commitLink(garden);
    const received = await proposeApproved(garden, { commit, by });
    if (received.kind === "refused") throw received.failure;
    const { id, digest } = received.proposal;
    const applied = await decide(garden, { proposal: id, verdict: "approve", digest, by });
    const approved = git(dir, "show", `${made.tended.proposals.byAgent.apply_result!.git_commit!}:notes/a.md`);
    expect({
      repair: broken.repair,
      differs: broken.patch?.includes("+Forged."),
      status: applied.status,
      restored: git(dir, "show", "main:notes/a.md") === approved,
      marks: (await tellStory(garden, LINE))!.links.map(({ mark }) => mark).filter((mark) => mark !== "verified"),
    }).toEqual({
      repair: { commit, proposable: true },
      differs: true,
      status: "applied",
      restored: true,
      marks: [],
    });
  });
});

test("P-11 the owner's reason to keep other words ends the warning in the story, in why and in verify", async () => {
  await forged(async (garden, commit, dir) => {
    const found = async (): Promise<number> => {
      const read = await findGarden(testPorts(), dir);
      const findings = await verifyGarden(read);
      await closeFound(read);
      return findings.filter(({ where }) => where === commit).length;
    };
    const before = { missing: (await explain(garden, LINE)).missing.length, verify: await found() };
    await keepWords(garden, { commit, by, reason: "Corrected on purpose" });
    const again = await keepWords(garden, { commit, by, reason: "Another reason" });
    const { mark, kept, repair } = await commitLink(garden);
    const report = await explain(garden, LINE);
    expect({
      before,
      again: again.reason,
      mark,
      kept: kept?.reason,
      repair,
      missing: report.missing.length,
      remark: report.links[0]!.remarks.at(-1)!.en,
      verify: await found(),
    }).toEqual({
      before: { missing: 1, verify: 1 },
      again: "Corrected on purpose",
      mark: "kept",
      kept: "Corrected on purpose",
      repair: undefined,
      missing: 0,
      remark: expect.stringMatching(/^kept by owner on .*: Corrected on purpose$/),
      verify: 0,
    });
  });
});

test.each<[string, (garden: Garden, forgery: string) => Promise<unknown>, string]>([
  [
    "a commit that matches",
    (garden) =>
      keepWords(garden, { commit: made.tended.proposals.byAgent.apply_result!.git_commit!, by, reason: "So" }),
    "VALIDATION_FAILED",
  ],
  ["an agent", (garden, commit) => keepWords(garden, { commit, by: AGENT, reason: "So" }), "FORBIDDEN"],
  ["no reason", (garden, commit) => keepWords(garden, { commit, by, reason: " " }), "VALIDATION_FAILED"],
  ["an unknown commit", (garden) => keepWords(garden, { commit: "0".repeat(40), by, reason: "So" }), "NOT_FOUND"],
  [
    "the approved words of a commit that has them",
    (garden) => proposeApproved(garden, { commit: made.tended.proposals.byAgent.apply_result!.git_commit!, by }),
    "VALIDATION_FAILED",
  ],
])("P-11 nothing is kept or proposed: %s", async (_, act, code) => {
  await forged(async (garden, commit) => {
    await expect(act(garden, commit)).rejects.toMatchObject({ code });
    const { id } = made.tended.proposals.byAgent;
    expect(await garden.store.get(keys.keptWords(id, commit))).toBeUndefined();
  });
});

const AGENT = { type: "agent", slug: "archivist", run: undefined } as const;
