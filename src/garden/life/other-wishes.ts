import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { readGardenConfig } from "../../domain/config/garden-config.ts";
import { type StoreConfig, storeName } from "../../domain/config/store-config.ts";
import { keys, machine, tree } from "../../domain/layout.ts";
import type { InitPlan } from "./init-survey.ts";

interface GivenWishes {
  readonly name?: string;
  readonly notesRoot?: string;
  readonly remote?: string;
  readonly store?: StoreConfig;
}

/** Throws INVALID_TRANSITION if a wish is given that differs from the plan of an interrupted `init`: the plan is completed as it is. */
export function refuseOtherWishes(begun: InitPlan, { name, notesRoot, remote, store }: GivenWishes): void {
  const config = readGardenConfig(Buffer.from(begun.config));
  const begunName = config.kind === "value" ? config.value.name : undefined;
  const begunStore: StoreConfig = begun.claim?.store ?? { kind: "directory" };
  if (store && storeName(store) !== storeName(begunStore))
    throw begunOtherwise(begun, "--store", storeName(begunStore));
  if (name !== undefined && name !== begunName) throw begunOtherwise(begun, "--name", begunName);
  if (remote !== undefined && remote !== begun.remote) throw begunOtherwise(begun, "--remote", begun.remote);
  if (notesRoot !== undefined && notesRoot !== begun.notesRoot)
    throw begunOtherwise(begun, "--notes-root", begun.notesRoot);
}

type Option = "--store" | "--name" | "--remote" | "--notes-root";

const CHANGE_LATER: Readonly<Record<Option, Text>> = {
  "--store": { en: "`bloom move --to STORE` moves the objects", uk: "`bloom move --to СХОВИЩЕ` перенесе об'єкти" },
  "--name": { en: "change `name` in garden.yaml", uk: "змініть `name` у garden.yaml" },
  "--remote": { en: "set `repo.remote` in garden.yaml", uk: "задайте `repo.remote` у garden.yaml" },
  "--notes-root": { en: "change `notes_root` in garden.yaml", uk: "змініть `notes_root` у garden.yaml" },
};

function begunOtherwise({ claim }: InitPlan, option: Option, value: string | undefined): Failure {
  const later = CHANGE_LATER[option];
  const claimed = claim && `${keys.claim} (${storeName(claim.store)})`;
  return new Failure("INVALID_TRANSITION", {
    en: `an interrupted \`bloom init\` began this garden ${value === undefined ? `without ${option}` : `with ${option} ${value}`}`,
    uk: `перерваний \`bloom init\` почав цей сад ${value === undefined ? `без ${option}` : `з ${option} ${value}`}`,
    hint: {
      en: `Run \`bloom init\` without options to complete it; then ${later.en}. To start over, remove ${machine.making}${claimed ? `, the object ${claimed}` : ""}, and ${tree.config} if you did not write it.`,
      uk: `Виконайте \`bloom init\` без параметрів, щоб завершити його; потім ${later.uk}. Щоб почати заново, приберіть ${machine.making}${claimed ? `, об'єкт ${claimed}` : ""}, а також ${tree.config}, якщо його писали не ви.`,
    },
    details: { option, ...(value !== undefined && { value }) },
  });
}
