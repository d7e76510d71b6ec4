import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { diskFolders } from "./adapters/folder/disk-folder.ts";
import { checkedGit } from "./adapters/repo/git/process/checked-git.ts";
import { gitRepos } from "./adapters/repo/git/repos.ts";
import { openDirStore } from "./adapters/store/dir/dir-store.ts";
import { realWorld, type World } from "./base/world.ts";
import type { ProcessSettings } from "./config.ts";
import { machine } from "./domain/layout.ts";
import { noSigningKeyFile } from "./garden/agents/access/failures.ts";
import type { GardenPorts } from "./garden/core/garden.ts";
import type { WebFiles } from "./gateway/web-app.ts";
import type { Folder, Folders } from "./ports/folder.ts";

/** Loaded when used: Node's HTTP client takes a tenth of the start of a command. */
const loadS3 = async () => ({
  ...(await import("./adapters/store/s3/kept-proof.ts")),
  ...(await import("./adapters/store/s3/open-s3-store.ts")),
});

/** Chooses the adapters. The only file that knows them. */
export function composePorts(
  settings: Pick<ProcessSettings, "environment"> & Partial<Pick<ProcessSettings, "state">>,
  world: World = realWorld,
): GardenPorts {
  const secretOf = (variable: string): string | undefined => settings.environment[variable];
  const folders = diskFolders({ world });
  return {
    world,
    folders,
    repos: checkedGit(gitRepos({ environment: settings.environment, world }), settings.environment),
    async openStore(dir, { agents_root, store }) {
      if (store.kind === "directory") return await openDirStore({ garden: dir, world, agentsRoot: agents_root });
      const { openS3Store, proofInFile } = await loadS3();
      const proofs = proofInFile(join(dir, machine.storeProof), store);
      return await openS3Store({ settings: store, world, secretOf, proofs });
    },
    secretOf,
    state: async () => {
      const { dir, home } = settings.state ?? {};
      if (dir === undefined) return undefined;
      const isHomeless = home !== undefined && (await folders.at(home).stat("")).kind === "missing";
      return isHomeless ? undefined : folders.at(dir);
    },
    sharedKey: () => sharedSigningKey(folders, secretOf),
  };
}

/** Read at every use, so that a new key takes effect at once. A named file that is missing is a failure: no other key is used. */
async function sharedSigningKey(
  folders: Folders,
  secretOf: (variable: string) => string | undefined,
): Promise<Uint8Array | undefined> {
  const file = secretOf("BLOOM_SIGNING_KEY_FILE");
  if (file === undefined || file === "") {
    const value = secretOf("BLOOM_SIGNING_KEY");
    return value === undefined || value === "" ? undefined : Buffer.from(value);
  }
  const key = await folders.at(dirname(resolve(file))).read(basename(file), 1024);
  if (!key) throw noSigningKeyFile(file);
  return key;
}

/** `examples/` is next to `src/` in the repository and next to `dist/` in the package. */
export const examplesFolder = (ground: GardenPorts): Folder =>
  ground.folders.at(fileURLToPath(new URL("../examples", import.meta.url)));

/** The built web app, if there is one (`npm start` and publishing build it). Loaded into memory once; it is small. */
export async function builtWebApp(ground: GardenPorts): Promise<WebFiles | undefined> {
  const folder = ground.folders.at(fileURLToPath(new URL("../web/dist", import.meta.url)));
  const known = new Map<string, Uint8Array>();
  for await (const { path, sight } of folder.walk("")) {
    const bytes = sight.kind === "file" ? await folder.read(path, MOST_WEB_BYTES) : undefined;
    if (bytes) known.set(path, bytes);
  }
  return known.has("index.html") ? async (path) => known.get(path) : undefined;
}

const MOST_WEB_BYTES = 10_000_000;

/** The version in package.json. */
export async function packageVersion(ground: GardenPorts): Promise<string> {
  const bytes = await ground.folders
    .at(fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, ""))
    .read("package.json", 1 << 20);
  return bytes ? (JSON.parse(Buffer.from(bytes).toString()) as { version: string }).version : "?";
}
