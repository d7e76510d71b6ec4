import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import { storeConfig } from "../../domain/config/store-config.ts";

export const MAX_MARK_BYTES = 64 * 1024;

/** `.bloom/moving.json`: the plan of `bloom move`, from before the first object is copied until the last step is done. */
export const movingMark = z.strictObject({ from: storeConfig, to: storeConfig, at: z.iso.datetime() });
export type MovingMark = z.infer<typeof movingMark>;

/** In the bucket that a garden has left. */
export const movedToMark = z.strictObject({ to: z.string(), at: z.iso.datetime() });
export type MovedToMark = z.infer<typeof movedToMark>;

/** `isSwitched`: garden.yaml names the new store already, so that only the last steps are left. */
export const moveInterrupted = (to: string, isSwitched: boolean): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `this garden is half moved: \`bloom move\` to ${to} was interrupted, or is at work`,
    uk: `цей сад перенесено наполовину: \`bloom move\` до ${to} перервано, або він ще працює`,
    hint: {
      en: `Run \`bloom move --to ${quoted(to)}\` again: it continues where it stopped, and loses nothing.${isSwitched ? "" : " `bloom move --to` the store that garden.yaml names calls the move off."}`,
      uk: `Виконайте \`bloom move --to ${quoted(to)}\` ще раз: він продовжить з місця, де спинився, і нічого не втратить.${isSwitched ? "" : " `bloom move --to` до сховища, яке названо в garden.yaml, скасовує перенесення."}`,
    },
    details: { to },
  });

/** The settings were put back by hand after the objects had been moved. */
export const moveIsOver = (to: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the objects of this garden are in ${to}: the move cannot be called off any more`,
    uk: `об'єкти цього саду вже в ${to}: перенесення більше не скасувати`,
    hint: {
      en: `Run \`bloom move --to ${quoted(to)}\`: it completes the move and changes garden.yaml again. After that you can move back.`,
      uk: `Виконайте \`bloom move --to ${quoted(to)}\`: він завершить перенесення і знову змінить garden.yaml. Потім можна перенести назад.`,
    },
    details: { to },
  });

export const movedAway = ({ to, at }: MovedToMark): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the garden of this bucket was moved to ${to} at ${at}`,
    uk: `сад із цього кошика перенесено до ${to} (${at})`,
    hint:
      to === "dir"
        ? {
            en: "Its objects are in the folder of the machine that moved it, and nowhere else: go on there. For several machines, move it to a bucket from there (`bloom move --to s3://…`).",
            uk: "Його об'єкти — в теці тієї машини, яка його перенесла, і більше ніде: працюйте там. Для кількох машин перенесіть його звідти в кошик (`bloom move --to s3://…`).",
          }
        : {
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
