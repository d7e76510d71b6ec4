import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ceph, describeWithCeph, freshPlace } from "../adapters/store/s3/testing/ceph.ts";
import { composePorts } from "../compose.ts";
import { storeName } from "../domain/config/store-config.ts";
import { contractKey } from "../domain/layout.ts";
import { closeGarden, openGarden } from "../garden/core/garden.ts";
import { git, scratch } from "../garden/testing/scratch.ts";
import { inProcessBloom } from "./testing/command-line.ts";

const ground = () =>
  composePorts({ environment: { ...process.env, S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret } });
const bloom = (cwd: string, ...args: readonly string[]) => inProcessBloom(cwd, args, { ground: ground() });

/** A garden in a bucket, made by the command. */
async function initInBucket(): Promise<{ readonly dir: string; readonly store: string }> {
  const [dir, store] = [join(scratch(), "rose"), storeName(await freshPlace())];
  const made = await bloom(scratch(), "init", dir, "--store", store);
  expect(made).toMatchObject({ exit: 0, err: "", out: expect.stringContaining(`Created a garden in ${dir}`) });
  return { dir, store };
}

describeWithCeph("G-3 a garden in a bucket on the command line", () => {
  test("init --store creates it, status names the bucket, and the place cannot be used twice", async () => {
    const { dir, store } = await initInBucket();
    const status = await bloom(dir, "status");
    const other = join(scratch(), "lily");
    const twice = await bloom(scratch(), "init", other, "--store", store);
    const wrong = await bloom(scratch(), "init", other, "--store", "s3:/garden");
    expect(status.out).toMatch(/^Store +healthy \(s3:\/\/garden-tests\/t-.*; remote\)$/m);
    expect({ twice, wrong, left: existsSync(other), local: existsSync(join(dir, ".bloom/store")) }).toEqual({
      twice: { exit: 5, out: "", err: expect.stringContaining("holds the objects of a garden already") },
      wrong: { exit: 2, out: "", err: expect.stringContaining("--store: not a store: s3:/garden") },
      left: false,
      local: false,
    });
  });

  test("G-1a agents' files are mirrored into git, an edit of the mirror has no effect, and the commands say so", async () => {
    const { dir } = await initInBucket();
    const path = "agents/scribe/_agent.md";
    const changed = join(scratch(), "changed.md");
    const edit = async (from: string, to: string) => {
      writeFileSync(changed, (await contractIn(dir)).replace(`description: "${from}"`, `description: "${to}"`));
      return (await bloom(dir, "agent", "edit", "scribe", "--file", changed)).out;
    };
    const made = await bloom(dir, "agent", "new", "scribe", "--description", "First");
    const noEditor = await bloom(dir, "agent", "edit", "scribe");
    const edited = await edit("First", "Second");
    const mirrors = [git(dir, "show", `main:${path}`), readFileSync(join(dir, path), "utf8").trimEnd()];
    const second = await contractIn(dir);
    appendFileSync(join(dir, path), "\nby hand\n");
    const unmoved = await contractIn(dir);
    const waiting = await edit("Second", "Third");
    git(dir, "checkout", "--", "agents/scribe");
    const last = await edit("Third", "Fourth");
    expect({
      hint: made.out.split("\n")[1],
      noEditor: noEditor.err.split("\n")[1],
      edited,
      mirrors,
      unmoved,
      waiting,
      last,
      fourth: git(dir, "show", `main:${path}`),
    }).toEqual({
      hint: expect.stringContaining("Change it with `bloom agent edit scribe`"),
      noEditor: `→ Change a copy of ${path} and give it: \`bloom agent edit scribe --file FILE\`.`,
      edited: expect.stringMatching(/^Saved agents\/scribe\/_agent.md \(commit [0-9a-f]{10}\)/),
      mirrors: [second.trimEnd(), second.trimEnd()],
      unmoved: second,
      waiting: expect.stringContaining("the commit follows"),
      last: expect.stringContaining("(commit "),
      fourth: (await contractIn(dir)).trimEnd(),
    });
  });
});

/** The contract that counts: the object in the bucket. */
async function contractIn(dir: string): Promise<string> {
  const garden = await openGarden(ground(), dir);
  try {
    return Buffer.from((await garden.store.get(contractKey("scribe")))!.bytes).toString();
  } finally {
    await closeGarden(garden);
  }
}
