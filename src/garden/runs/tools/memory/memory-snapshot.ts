import { group } from "../../../../domain/text/checked-yaml.ts";
import { takeSnapshot } from "../../../agents/memory/memory-snapshot.ts";
import { gardenTool } from "../tool.ts";

/** Archives the agent's own memory at the run's commit. Only the owner archives that of other agents. */
export const memorySnapshotTool = gardenTool({
  name: "memory-snapshot",
  description: {
    en: "Put an archive of the agent's memory as it is now into the store: its id, from which the owner can restore it.",
    uk: "Поклади архів пам'яті агента в її теперішньому стані до сховища: його id, з якого власник може її повернути.",
  },
  input: group({}),
  idempotent: true,
  async call(_, { garden, commit, slug }) {
    const { id, archive } = await takeSnapshot(garden, commit, slug);
    const { version, at, files } = archive;
    return { snapshot: id, commit, version, at, files: Object.keys(files).length };
  },
});
