import type { Text } from "../../../base/text.ts";
import type { World } from "../../../base/world.ts";
import type { Bucket } from "./bucket.ts";
import { serverRefused } from "./failures.ts";

/** Findings of the self-test about a server that keeps its promises. */
export interface ServerProof {
  readonly server: string;
  /** ETags in `If-Match` have quotes. */
  readonly quotes: boolean;
  /** `If-Match` of a delete is kept. */
  readonly conditionalDelete: boolean;
  readonly provedAt: string;
}

const RACERS = 8;
const ROUNDS = 2;

/**
 * Proves with throw-away objects that the server decides races: of concurrent creations, and of concurrent swaps, exactly one wins;
 * a swap of an absent object is refused; a listing after a write shows it. Throws VALIDATION_FAILED, which names the server, if not.
 */
export async function proveServer(bucket: Bucket, folder: string, world: World): Promise<ServerProof> {
  const names: string[] = [];
  const fresh = (): string => {
    names.push(`${folder}${Buffer.from(world.random(12)).toString("hex")}`);
    return names.at(-1)!;
  };
  const expectThat = (holds: boolean, broken: Text): void => {
    if (!holds) throw serverRefused(bucket.place, bucket.server, broken, hintFor(bucket.server));
  };
  const one = Buffer.from("one");
  try {
    await bucket.put(fresh(), one, "free");
    const known = KNOWN_BAD.find(({ server }) => server.test(bucket.server));
    if (known) expectThat(false, known.why);
    for (let round = 0; round < ROUNDS; round++)
      expectThat((await race(bucket, fresh(), "free")) === 1, {
        en: "it lets several of concurrent creations of one object win (`If-None-Match: *` is not atomic, or ignored)",
        uk: "з кількох одночасних створень одного об'єкта вдається кілька (`If-None-Match: *` не атомарна або ігнорується)",
      });
    const name = fresh();
    const made = await bucket.put(name, one, "free");
    const etag = made.kind === "done" ? made.etag : "";
    const listed = await bucket.list(name, "", 1);
    expectThat(listed.entries[0]?.name === name && listed.entries[0].etag === etag, {
      en: "an object that was just written is missing from a listing",
      uk: "щойно записаного об'єкта немає в переліку",
    });
    bucket.quotes = true;
    let swapped = await bucket.put(name, Buffer.from("two"), { etag });
    if (swapped.kind === "refused") {
      bucket.quotes = false;
      swapped = await bucket.put(name, Buffer.from("two"), { etag });
    }
    expectThat(swapped.kind === "done", {
      en: "it refuses to replace an object by its ETag (`If-Match`)",
      uk: "не замінює об'єкт за його ETag (`If-Match`)",
    });
    expectThat((await bucket.put(name, Buffer.from("three"), { etag })).kind === "refused", {
      en: "it replaces an object whose ETag is another one (`If-Match` is ignored)",
      uk: "замінює об'єкт з іншим ETag (`If-Match` ігнорується)",
    });
    const current = swapped.kind === "done" ? swapped.etag : "";
    expectThat((await race(bucket, name, { etag: current })) === 1, {
      en: "it lets several of concurrent replacements by ETag win (`If-Match` is not atomic)",
      uk: "з кількох одночасних замін за ETag вдається кілька (`If-Match` не атомарна)",
    });
    const absent = fresh();
    await bucket.put(absent, one, { etag });
    expectThat((await bucket.get(absent)) === undefined, {
      en: "it writes an absent object although `If-Match` names an ETag",
      uk: "записує відсутній об'єкт, хоча `If-Match` називає ETag",
    });
    const { server, quotes } = bucket;
    const conditionalDelete = await keepsDeleteCondition(bucket, name);
    return { server, quotes, conditionalDelete, provedAt: new Date(world.now()).toISOString() };
  } finally {
    await Promise.allSettled(names.map((name) => bucket.delete(name)));
  }
}

/** The number of concurrent conditional writes that the server let win. */
async function race(bucket: Bucket, name: string, condition: "free" | { readonly etag: string }): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: RACERS }, (_, i) => bucket.put(name, Buffer.from(`racer ${i}`), condition)),
  );
  return answers.filter(({ kind }) => kind === "done").length;
}

async function keepsDeleteCondition(bucket: Bucket, name: string): Promise<boolean> {
  const there = await bucket.get(name);
  if (!there) return false;
  const wrong = await bucket.delete(name, { etag: "0".repeat(32) }).catch(() => "failed");
  if (wrong !== "refused" || !(await bucket.get(name))) return false;
  return (await bucket.delete(name, { etag: there.etag })) === "done" && (await bucket.get(name)) === undefined;
}

/** Servers whose races a short test may miss. */
const KNOWN_BAD: readonly { readonly server: RegExp; readonly why: Text }[] = [
  {
    server: /versity/i,
    why: {
      en: "its conditional writes are not atomic (measured with versitygw 1.7)",
      uk: "його умовні записи не атомарні (виміряно з versitygw 1.7)",
    },
  },
];

const hintFor = (server: string): Text =>
  /minio/i.test(server)
    ? {
        en: "MinIO works from RELEASE.2025-09-07 on; docs/stores.md lists servers that work.",
        uk: "MinIO підходить від RELEASE.2025-09-07; сервери, що підходять, — у docs/stores.md.",
      }
    : {
        en: "Use a server that docs/stores.md lists as working, such as Ceph or AWS.",
        uk: "Візьміть сервер, який docs/stores.md називає придатним, як-от Ceph або AWS.",
      };
