import { fileURLToPath } from "node:url";
import { diskFolders } from "./adapters/folder/disk-folder.ts";
import { checkedGit } from "./adapters/repo/git/process/checked-git.ts";
import { gitRepos } from "./adapters/repo/git/repos.ts";
import { openDirStore } from "./adapters/store/dir/dir-store.ts";
import { Failure } from "./base/failure.ts";
import { realWorld, type World } from "./base/world.ts";
import type { Settings } from "./config.ts";
import type { Ground } from "./garden/core/garden.ts";
import type { WebFiles } from "./gateway/web-app.ts";
import type { Folder } from "./ports/folder.ts";

/** Chooses the adapters. The only file that knows them. */
export function composeGround(settings: Pick<Settings, "environment">, world: World = realWorld): Ground {
  return {
    world,
    folders: diskFolders({ world }),
    repos: checkedGit(gitRepos({ environment: settings.environment, world }), settings.environment),
    openStore: (dir, { kind }) => {
      if (kind === "directory") return openDirStore({ garden: dir, world });
      throw new Failure(
        "VALIDATION_FAILED",
        { en: "this bloom has no S3 store yet", uk: "цей bloom ще не вміє працювати зі сховищем S3" },
        {
          hint: {
            en: "Set `store: { kind: directory }` in garden.yaml.",
            uk: "Вкажіть `store: { kind: directory }` у garden.yaml.",
          },
        },
      );
    },
  };
}

/** The examples, beside the sources and beside the built package alike. */
export const examplesFolder = (ground: Ground): Folder =>
  ground.folders.at(fileURLToPath(new URL("../examples", import.meta.url)));

/** The web app beside the sources, if it was built: `npm start` and publishing do that. Read once; it is small. */
export async function builtWebApp(ground: Ground): Promise<WebFiles | undefined> {
  const folder = ground.folders.at(fileURLToPath(new URL("../web/dist", import.meta.url)));
  const known = new Map<string, Uint8Array>();
  for await (const { path, sight } of folder.walk("")) {
    const bytes = sight.kind === "file" ? await folder.read(path, MOST_WEB_BYTES) : undefined;
    if (bytes) known.set(path, bytes);
  }
  return known.has("index.html") ? async (path) => known.get(path) : undefined;
}

const MOST_WEB_BYTES = 10_000_000;

/** What package.json says. */
export async function packageVersion(ground: Ground): Promise<string> {
  const bytes = await ground.folders
    .at(fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, ""))
    .read("package.json", 1 << 20);
  return bytes ? (JSON.parse(Buffer.from(bytes).toString()) as { version: string }).version : "?";
}
