import { expect, test } from "vitest";
import { artifactKey } from "../../domain/proposal/operation.ts";
import { toolGround } from "../runs/tools/testing/tool-ground.ts";
import { gardenWith } from "../testing/scratch.ts";
import { listArtifacts, readArtifact } from "./artifacts.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** Content, kind and encoding of each artifact, by its name. */
const FILES: Readonly<Record<string, readonly [bytes: Buffer, kind: string, as: "text" | "base64"]>> = {
  "data.json": [Buffer.from('{"beds": [1, 2]}'), "json", "text"],
  "half.json": [Buffer.from('{"beds": ['), "text", "text"],
  "list.txt": [Buffer.from("beds\n"), "text", "text"],
  // Named as a picture, but the bytes are a page: the kind follows the bytes.
  "page.png": [Buffer.from("<html><script>alert(1)</script>"), "text", "text"],
  "plans/spring.md": [Buffer.from("# Spring\n"), "markdown", "text"],
  "plot.bin": [PNG, "image", "base64"],
  "seeds.dat": [Buffer.from([0, 255, 254, 1]), "bytes", "base64"],
};

test("U-1a artifacts of an agent are listed and read as text, image or bytes, by their content", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" });
  await toolGround({ garden, dir });
  for (const [name, [bytes]] of Object.entries(FILES)) await garden.store.create(artifactKey("archivist", name), bytes);
  const seen: Record<string, unknown> = {};
  for (const { name, size } of await listArtifacts(garden.store, "archivist")) {
    const { kind, text, base64 } = await readArtifact(garden.store, "archivist", name);
    const bytes = text === undefined ? Buffer.from(base64 ?? "", "base64") : Buffer.from(text);
    expect(bytes.length).toBe(size);
    seen[name] = [bytes, kind, text === undefined ? "base64" : "text"];
  }
  expect(seen).toEqual(FILES);
});

test.for(["nothing.md", "../_agent.md", "../../other/artifacts/a.md", "a//b", "/etc/passwd", "\u0000"])(
  "U-1a a path that names no artifact is not read: %j",
  async (name) => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" });
    await toolGround({ garden, dir });
    await expect(readArtifact(garden.store, "archivist", name)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:NOT_FOUND|VALIDATION_FAILED)$/),
    });
  },
);
