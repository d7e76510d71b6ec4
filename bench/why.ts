import { cp } from "node:fs/promises";
import { join } from "node:path";
import { closeGarden } from "../src/garden/core/garden.ts";
import { explain } from "../src/garden/insight/why/explain.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { approvedInto, gardenIn, proposed, reopened } from "./ours-garden.ts";
import { checkedOut, MAIN, noteBytes, notePath, type Repository, repositoryOf } from "./repository.ts";
import { git, gitLine } from "./rivals/git-rival.ts";

const NOTES = 1000;
/** The note that is asked about; the history around it never touches it. */
const ASKED = notePath(0);
/** Its first line that the proposal changes. */
const LINE = 3;

/** Why a commit, and a line, is as it is: the change lies in the middle of a long history of other changes. */
export const whys = ({ commits }: Size, scratch: string): Bench[] => {
  const garden = longHistory(checkedOut(repositoryOf(NOTES, 1, scratch)), commits, join(scratch, "long-history"));
  const bench = (what: string, ofLine: boolean): Bench => ({
    name: `why: a ${what} in a history of ${commits} commits`,
    unit: "ms",
    workers: 1,
    latency: true,
    ours: explaining(garden, ofLine),
    rivals: [byGit(garden, ofLine)],
  });
  return [bench("commit", false), bench("line", true)];
};

const explaining = (history: LongHistory, ofLine: boolean): Contender => ({
  name: "bloom",
  async open(folder) {
    const commit = await history(folder);
    const garden = await reopened(folder);
    await garden.repo.maintain();
    const subject = ofLine ? `${ASKED}:${LINE}` : commit;
    return {
      async once() {
        const { missing, links } = await explain(garden, subject);
        if (missing.length > 0 || links.length === 0) throw new Error(`why ${subject}: ${JSON.stringify(missing)}`);
      },
      close: () => closeGarden(garden),
    };
  },
});

/** The answer of git alone: author and message. It verifies no link. */
const byGit = (history: LongHistory, ofLine: boolean): Contender => ({
  name: ofLine ? "git blame by process" : "git show by process",
  async open(folder) {
    const commit = await history(folder);
    return {
      async once() {
        await git(
          folder,
          ofLine ? ["blame", "--porcelain", `-L${LINE},${LINE}`, "main", "--", ASKED] : ["show", "--stat", commit],
        );
      },
      close: async () => undefined,
    };
  },
});

/** Puts a copy of the garden into a folder, and answers with the commit of its one proposal. */
type LongHistory = (folder: string) => Promise<string>;

/** Half of the history, one applied proposal, the other half; made once. */
function longHistory(repository: Repository, commits: number, template: string): LongHistory {
  let made: Promise<string> | undefined;
  return async (folder) => {
    made ??= make(repository, commits, template);
    const commit = await made;
    await cp(template, folder, { recursive: true });
    return commit;
  };
}

async function make(repository: Repository, commits: number, folder: string): Promise<string> {
  const garden = await gardenIn(folder, repository);
  const before = Math.floor(commits / 2);
  try {
    await grow(folder, before, 0);
    const commit = await approvedInto(garden, await proposed(garden, ASKED, noteBytes(0, 1).toString()));
    await grow(folder, commits - before, before);
    return commit;
  } finally {
    await closeGarden(garden);
  }
}

async function grow(folder: string, count: number, from: number): Promise<void> {
  const head = await gitLine(folder, ["rev-parse", "main"]);
  const parts: (string | Buffer)[] = [];
  for (let step = from; step < from + count; step++) {
    const n = 1 + (step % (NOTES - 1));
    const bytes = Buffer.from(`# Note ${n}\n\nStep ${step}.\n`);
    parts.push(
      `commit ${MAIN}\ncommitter Bench <bench@example.org> ${1_700_000_100 + step} +0000\ndata 4\nGrow\n`,
      step === from ? `from ${head}\n` : "",
      `M 100644 inline ${notePath(n)}\ndata ${bytes.length}\n`,
      bytes,
      "\n\n",
    );
  }
  await git(folder, ["fast-import", "--quiet", "--force"], {
    input: Buffer.concat(parts.map((part) => Buffer.from(part))),
  });
  await git(folder, ["reset", "--hard", "--quiet", "main"]);
}
