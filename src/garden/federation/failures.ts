import { Failure } from "../../base/failure.ts";

export const noSuchPeer = (name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `this garden follows no garden named ${JSON.stringify(name)}`,
    uk: `цей сад не стежить за садом на ім'я ${JSON.stringify(name)}`,
    hint: { en: "`bloom peer list` names them", uk: "їх називає `bloom peer list`" },
  });

export const peerNameTaken = (name: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `this garden already follows one named ${name}`,
    uk: `цей сад уже стежить за садом на ім'я ${name}`,
    hint: { en: "choose another name for the new one", uk: "оберіть для нового іншу назву" },
  });

export const peerLooksLike = (name: string, known: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `the name ${name} looks like ${known}, which this garden follows: one could be taken for the other`,
    uk: `назва ${name} схожа на ${known}, за яким цей сад стежить: їх можна сплутати`,
    hint: { en: "choose a name that differs at first sight", uk: "оберіть назву, яку видно інакшою з першого погляду" },
  });

export const noGardenKey = (): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: "this garden has no key of its own on this machine, so it cannot announce anything",
    uk: "цей сад не має тут власного ключа, тож не може нічого оголосити",
    hint: {
      en: "`bloom peer identity --make` makes one; on a second machine, copy `.bloom/keys/garden` there",
      uk: "його робить `bloom peer identity --make`; на другу машину скопіюйте `.bloom/keys/garden`",
    },
  });

export const notOwnSession = (name: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the session ${name} does not name this garden as its owner, so others would refuse it`,
    uk: `сесія ${name} не називає цей сад власником, тож інші її відхилять`,
    hint: {
      en: `it began before this garden had a key: \`bloom session spawn NAME --from ${name} --goal TEXT\` goes on from it under a new name`,
      uk: `вона почалася, коли сад ще не мав ключа: \`bloom session spawn NAME --from ${name} --goal TEXT\` продовжить її під новою назвою`,
    },
  });

export const otherThanShown = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "a session has moved since its publication was shown",
    uk: "сесія змінилася відтоді, як було показано, що піде назовні",
    hint: { en: "look again, then publish", uk: "перегляньте ще раз і тоді публікуйте" },
  });

export const publishRejected = (remote: string, refs: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${remote} has announcements that this machine does not know: ${refs.join(", ")}`,
    uk: `${remote} має оголошення, яких ця машина не знає: ${refs.join(", ")}`,
    hint: {
      en: "another machine of yours has announced: use one of them, or share the repository (`repo` in garden.yaml)",
      uk: "оголосила інша ваша машина: оголошуйте з однієї або зробіть репозиторій спільним (`repo` у garden.yaml)",
    },
  });

export const malformedPeer = (field: "name" | "key"): Failure =>
  new Failure("VALIDATION_FAILED", {
    ...(field === "name"
      ? {
          en: "the name of a garden to follow is lower-case letters, digits and inner hyphens",
          uk: "назва саду, за яким стежать, — малі латинські літери, цифри й дефіси всередині",
        }
      : {
          en: "a garden is followed by the fingerprint of its key: `SHA256:` and 43 characters",
          uk: "за садом стежать за відбитком його ключа: `SHA256:` і 43 символи",
        }),
    hint: {
      en: "its owner sees the fingerprint with `bloom peer identity`; compare it by another way than the address came",
      uk: "власник бачить відбиток командою `bloom peer identity`; звірте його іншим шляхом, ніж прийшла адреса",
    },
    details: { field },
  });

export const noPublicSpace = (): Failure =>
  new Failure("NOT_FOUND", {
    en: "this garden serves no public space, or nothing has been published to it yet",
    uk: "цей сад не має публічного простору, або туди ще нічого не оприлюднено",
    hint: {
      en: "its owner writes `federation: { public: true }` into garden.yaml and publishes with `bloom peer publish … --to public`",
      uk: "власник пише `federation: { public: true }` у garden.yaml і публікує: `bloom peer publish … --to public`",
    },
  });

export const publicSpaceBusy = (): Failure =>
  new Failure("RATE_LIMITED", {
    en: "another process is changing the public space",
    uk: "інший процес змінює публічний простір",
    hint: { en: "Try again in a minute.", uk: "Повторіть за хвилину." },
  });

export const newsRefused = (): Failure =>
  new Failure("FORBIDDEN", {
    en: "this garden follows no garden that has signed this message",
    uk: "цей сад не стежить за садом, який підписав це повідомлення",
    hint: {
      en: "sign `garden`, `tip` and `at` with the present key of the garden that is followed",
      uk: "підпишіть `garden`, `tip` і `at` чинним ключем саду, за яким стежать",
    },
  });

export const staleNews = (seconds: number): Failure =>
  new Failure("FORBIDDEN", {
    en: `the time of the message differs from the time here by more than ${seconds} seconds`,
    uk: `час повідомлення відрізняється від тутешнього більш як на ${seconds} секунд`,
    hint: { en: "set the clocks, and sign again", uk: "виставте годинники й підпишіть знову" },
  });

export const newsRepeated = (): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: "this message has come before",
    uk: "це повідомлення вже приходило",
    hint: { en: "sign a new one with the present time", uk: "підпишіть нове з теперішнім часом" },
  });

export const malformedNewsAddress = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "news are sent to an address that begins with http:// or https://, without a password",
    uk: "новини надсилають на адресу, що починається з http:// або https://, без пароля",
    hint: {
      en: "a gateway takes them at `https://HOST/federation/news`",
      uk: "шлюз приймає їх за адресою `https://HOST/federation/news`",
    },
  });

export const quotaContended = (name: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `several processes look at ${name} at once`,
    uk: `кілька процесів водночас дивляться на ${name}`,
    hint: { en: "Try again in a moment.", uk: "Повторіть за мить." },
  });

export const keyChangedElsewhere = (signer: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `another machine has changed the key of this garden: announcements are now signed by ${signer}`,
    uk: `ключ цього саду змінила інша машина: тепер оголошення підписує ${signer}`,
    hint: {
      en: "there `bloom peer backup-key FILE`, here `bloom peer restore-key FILE`",
      uk: "там `bloom peer backup-key ФАЙЛ`, тут `bloom peer restore-key ФАЙЛ`",
    },
    details: { key: signer },
  });

export const notThisGardensKey = (given: string, signer: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `this key (${given}) is not the present key of this garden (${signer})`,
    uk: `цей ключ (${given}) — не чинний ключ цього саду (${signer})`,
    hint: {
      en: "a key from before the last `bloom peer rotate` signs nothing any more: restore the newest backup",
      uk: "ключ, давніший за останній `bloom peer rotate`, більше нічого не підписує: відновіть найновішу копію",
    },
  });

export const keyFileTaken = (): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: "this garden has another key already",
    uk: "цей сад уже має інший ключ",
    hint: {
      en: "move `.bloom/keys/garden` away first, if nothing was announced with it",
      uk: "спершу приберіть `.bloom/keys/garden`, якщо ним нічого не оголошували",
    },
  });

export const backupFileTaken = (path: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `there is already a file ${path}`,
    uk: `файл ${path} уже існує`,
    hint: {
      en: "choose another name: a key is never overwritten",
      uk: "оберіть іншу назву: ключ ніколи не перезаписують",
    },
  });

export const nameOfRemote = (name: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `garden.yaml or git has a remote named ${name}, whose refs stand under the same names`,
    uk: `у garden.yaml або git є віддалений репозиторій ${name}, чиї посилання стоять під тими самими назвами`,
    hint: { en: "choose another name for the garden", uk: "оберіть для саду іншу назву" },
  });

export const noKeyFile = (path: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no file ${path}`,
    uk: `файлу ${path} немає`,
    hint: { en: "`bloom peer backup-key FILE` writes one", uk: "його записує `bloom peer backup-key ФАЙЛ`" },
  });

export const foreignChain = (remote: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${remote} holds announcements that are not this garden's`,
    uk: `${remote} має оголошення, які не належать цьому садові`,
    hint: {
      en: "publish into a repository of its own; a second machine of a garden has its key (`bloom peer restore-key`)",
      uk: "публікуйте в окремий репозиторій; друга машина саду має його ключ (`bloom peer restore-key`)",
    },
  });

export const announcedElsewhere = (remote: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `another machine of yours has announced to ${remote} meanwhile; its announcements are taken over, and nothing of this machine has left`,
    uk: `тим часом інша ваша машина оголосила щось у ${remote}; її оголошення перейнято, а з цієї машини нічого не пішло`,
    hint: { en: "look again, then publish", uk: "перегляньте ще раз і тоді публікуйте" },
  });
