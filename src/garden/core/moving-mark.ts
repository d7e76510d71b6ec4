import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import { storeConfig } from "../../domain/config/store-config.ts";

export const MAX_MARK_BYTES = 64 * 1024;

/** `.bloom/moving.json`: the plan of `bloom move`, from before the first object is copied until the last step is done. */
export const movingMark = z.strictObject({ from: storeConfig, to: storeConfig, at: z.iso.datetime() });
export type MovingMark = z.infer<typeof movingMark>;

/** In the bucket that a garden has left. */
export const movedToMark = z.strictObject({ to: z.string(), at: z.iso.datetime() });

export const moveInterrupted = (to: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `this garden is half moved: \`bloom move\` to ${to} was interrupted, or is at work`,
    uk: `цей сад перенесено наполовину: \`bloom move\` до ${to} перервано, або він ще працює`,
    hint: {
      en: `Run \`bloom move --to ${quoted(to)}\` again: it continues where it stopped, and loses nothing. \`bloom move --to\` the store that garden.yaml names calls the move off.`,
      uk: `Виконайте \`bloom move --to ${quoted(to)}\` ще раз: він продовжить з місця, де спинився, і нічого не втратить. \`bloom move --to\` до сховища, яке названо в garden.yaml, скасовує перенесення.`,
    },
    details: { to },
  });

export const movedAway = ({ to, at }: z.infer<typeof movedToMark>): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the garden of this bucket was moved to ${to} at ${at}`,
    uk: `сад із цього кошика перенесено до ${to} (${at})`,
    hint: {
      en: "Take garden.yaml from the machine that moved it (`git pull`), and start again.",
      uk: "Візьміть garden.yaml з машини, яка його перенесла (`git pull`), і запустіть знову.",
    },
    details: { to, at },
  });

export const emptyPlace = (place: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `there is no garden at ${place}: it holds no object`,
    uk: `у ${place} немає саду: там жодного об'єкта`,
    hint: {
      en: "Correct `bucket` and `prefix` of `store` in garden.yaml. For a new garden remove `store` and use `bloom move --to s3://…`. If the objects were deleted, `bloom restore` brings them back.",
      uk: "Виправте `bucket` і `prefix` у `store` в garden.yaml. Для нового саду приберіть `store` і дайте `bloom move --to s3://…`. Якщо об'єкти видалено, `bloom restore` поверне їх.",
    },
    details: { part: "store", place },
  });

/** For a shell: the address of a bucket has characters that shells expand. */
const quoted = (to: string): string => (to === "dir" ? to : `'${to}'`);
