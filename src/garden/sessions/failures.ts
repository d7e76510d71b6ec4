import { Failure } from "../../base/failure.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";

export const noSession = (name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no session ${JSON.stringify(name)}`,
    uk: `сесії ${JSON.stringify(name)} немає`,
    hint: { en: "`bloom session list` shows them.", uk: "Їх показує `bloom session list`." },
    details: { session: name },
  });

export const noCommitAt = (what: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no commit ${JSON.stringify(what)}`,
    uk: `немає коміту ${JSON.stringify(what)}`,
    details: { commit: what },
  });

export const noCommitInSession = (name: string, commit: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `the branch of the session ${name} has no commit ${commit}`,
    uk: `у гілці сесії ${name} немає коміту ${commit}`,
    hint: {
      en: `\`bloom session log ${name}\` shows its commits.`,
      uk: `Її коміти показує \`bloom session log ${name}\`.`,
    },
    details: { session: name, commit },
  });

export const refsContended = (refs: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${refs.join(", ")} kept changing; nothing was written`,
    uk: `${refs.join(", ")} весь час змінювали інші; нічого не записано`,
    details: { refs },
  });

export const mergeIntoItself = (name: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the session ${name} cannot be merged into itself`,
    uk: `сесію ${name} не можна злити із самою собою`,
  });

export const kindRefused = (why: { readonly en: string; readonly uk: string }): Failure =>
  new Failure("VALIDATION_FAILED", why);

export const runNamesTaken = (names: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the session of this run has no free name: ${names.join(", ")} belong to others`,
    uk: `для сесії цього запуску немає вільної назви: ${names.join(", ")} належать іншим`,
    hint: {
      en: "Delete or archive one of these branches if it is no longer needed; the run then goes on.",
      uk: "Видаліть або заархівуйте одну з цих гілок, якщо вона вже не потрібна; тоді запуск піде далі.",
    },
    details: { names },
  });

export const severalCommitsLike = (what: string, found: readonly Oid[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${what} begins the ids of ${found.length} commits`,
    uk: `з ${what} починаються id комітів: ${found.length}`,
    hint: { en: "Give more digits.", uk: "Вкажіть більше цифр." },
    details: { commits: found.slice(0, 5) },
  });

export const spawnPlaces = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "a session begins at one place: `from` a session, `at` a commit, or `empty`",
    uk: "сесія починається в одному місці: `from` сесія, `at` коміт або `empty`",
  });

export const spawnTaken = (name: string, ref: RefName): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `the name ${name} is taken: ${ref} exists`,
    uk: `назву ${name} зайнято: ${ref} вже є`,
    hint: {
      en: "Choose another name; `bloom session list` shows those in use.",
      uk: "Оберіть іншу назву; зайняті показує `bloom session list`.",
    },
    details: { session: name, ref },
  });

export const headMoved = (name: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the session ${name}, or the one to merge, moved meanwhile; nothing was written`,
    uk: `сесія ${name} або та, яку зливають, тим часом змінилася; нічого не записано`,
    hint: { en: "Merge again, and look at its conflicts.", uk: "Злийте ще раз і перегляньте розбіжності." },
    details: { session: name },
  });

export const unresolvedPaths = (paths: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `no text was given for paths in conflict: ${paths.join(", ")}`,
    uk: `немає тексту для шляхів із розбіжностями: ${paths.join(", ")}`,
    hint: {
      en: "Give a text for each of them, or say that the file is removed.",
      uk: "Дайте текст для кожного або вкажіть, що файл видалено.",
    },
    details: { paths },
  });

export const notInConflict = (paths: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `these paths are not in conflict, and are merged without a text: ${paths.join(", ")}`,
    uk: `у цих шляхах розбіжностей немає, їх зливає сам git: ${paths.join(", ")}`,
    details: { paths },
  });

export const markersLeft = (paths: readonly string[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `conflict markers are left in ${paths.join(", ")}`,
    uk: `у ${paths.join(", ")} лишилися позначки розбіжностей`,
    details: { paths },
  });

export const noBinding = (commit: Oid, notes: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no trace was bound to ${commit} in ${JSON.stringify(notes)}`,
    uk: `у ${JSON.stringify(notes)} до ${commit} не прив'язано сліду`,
    hint: {
      en: `\`bloom session history ${commit.slice(0, 10)}\` lists the bindings.`,
      uk: `Прив'язки показує \`bloom session history ${commit.slice(0, 10)}\`.`,
    },
    details: { commit, notes },
  });

export const decisionRaced = (name: string, seen: string, head: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the session ${name} is no longer at ${seen.slice(0, 10)}, which the decision is about; nothing was recorded`,
    uk: `сесія ${name} вже не на ${seen.slice(0, 10)}, якого стосується рішення; нічого не записано`,
    hint: {
      en: `Look at ${head.slice(0, 10)} and decide again.`,
      uk: `Подивіться на ${head.slice(0, 10)} і вирішіть ще раз.`,
    },
    details: { session: name, seen, head },
  });

export const adoptNeedsGoal = (name: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the goal of the branch agents/${name} is not known`,
    uk: `мета гілки agents/${name} невідома`,
    hint: { en: "Name it with `--goal TEXT`.", uk: "Вкажіть її: `--goal ТЕКСТ`." },
    details: { session: name },
  });

export const nothingArchived = (name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no session ${JSON.stringify(name)} is in the archive`,
    uk: `в архіві немає сесії ${JSON.stringify(name)}`,
    hint: { en: "`bloom session list --archived` shows them.", uk: "Їх показує `bloom session list --archived`." },
    details: { session: name },
  });

export const archivedSeveral = (name: string, heads: readonly Oid[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the archive has ${heads.length} sessions ${name}: ${heads.map((head) => head.slice(0, 10)).join(", ")}`,
    uk: `в архіві кілька сесій ${name}: ${heads.map((head) => head.slice(0, 10)).join(", ")}`,
    hint: { en: "Name one with `--at COMMIT`.", uk: "Вкажіть одну: `--at КОМІТ`." },
    details: { session: name, heads },
  });
