import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { qrCode } from "../../../../src/base/qr-code.ts";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { Empty } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RowError, SettingRow, SettingsSection } from "../settings/section.tsx";
import { CopyButton } from "../settings/shown-once.tsx";

/** The identity of this garden for others, or the button that makes it. */
export function OwnKeySection({ identity }: Pick<AnswerOf<"GET /federation">, "identity">) {
  const t = useT();
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => call("POST /federation/identity", {}),
    onSettled: () => invalidate(client, "/federation"),
  });
  return (
    <SettingsSection
      id="own-key"
      title={t(words.title)}
      about={t(words.about)}
      action={
        identity === null && (
          <Button tone="small" disabled={make.isPending} onClick={() => make.mutate()}>
            <KeyRound size={14} aria-hidden="true" /> {t(words.make)}
          </Button>
        )
      }
    >
      {identity === null ? (
        <Empty>{t(words.none)}</Empty>
      ) : (
        <>
          <SettingRow
            name={t(words.fingerprint)}
            about={t(words.compare)}
            action={<CopyButton text={identity.fingerprint} />}
          >
            <code className="break">{identity.fingerprint}</code>
          </SettingRow>
          <SettingRow name={t(words.inWords)} about={t(words.aloud)}>
            <span className="break">{t(identity.words)}</span>
            <FingerprintCode text={identity.fingerprint} />
          </SettingRow>
          <SettingRow name={t(words.announced)} about={t(words.backup)}>
            <span className="meta">{t(words.announcements, identity.seq)}</span>
            <RotateKey />
          </SettingRow>
        </>
      )}
      {make.error && <RowError error={make.error} />}
    </SettingsSection>
  );
}

/** The fingerprint for the camera of another owner's phone. */
function FingerprintCode({ text }: { readonly text: string }) {
  const t = useT();
  const rows = qrCode(text);
  const size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])));
  return (
    <svg
      className="fingerprint-code"
      role="img"
      aria-label={t(words.code)}
      viewBox={`0 0 ${size} ${size}`}
      width={4 * size}
      height={4 * size}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}

/** Light modules that have to stay around a code. */
const QUIET = 4;

function RotateKey() {
  const t = useT();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const rotate = useMutation({
    mutationFn: () => call("POST /federation/identity/rotate", {}),
    onSuccess: () => {
      setIsAsked(false);
      return invalidate(client, "/federation");
    },
  });
  return (
    <>
      <Button tone="small" onClick={() => setIsAsked(true)}>
        {t(words.rotate)}
      </Button>
      {isAsked && (
        <ActionDialog
          title={t(words.rotateTitle)}
          action={{
            label: t(words.rotate),
            tone: "primary",
            isDisabled: rotate.isPending,
            onConfirm: () => rotate.mutate(),
          }}
          error={rotate.error && <MutationError error={rotate.error} />}
          onClose={() => setIsAsked(false)}
        >
          <p>{t(words.rotateAbout)}</p>
        </ActionDialog>
      )}
    </>
  );
}

const words = {
  inWords: { en: "In words", uk: "Словами" },
  aloud: {
    en: "The first 96 bits of the fingerprint, to compare aloud. The other owner's page shows them in their language; they sound alike.",
    uk: "Перші 96 бітів відбитка, щоб звірити вголос. Інший власник бачить їх своєю мовою; звучать вони однаково.",
  },
  code: { en: "QR code of the fingerprint", uk: "QR-код відбитка" },
  rotate: { en: "Change the key", uk: "Змінити ключ" },
  rotateTitle: { en: "Change the key of this garden?", uk: "Змінити ключ цього саду?" },
  rotateAbout: {
    en: "The old key signs the hand-over to a new one. Others learn of it with your next publication and go on by themselves. Keep a copy of the new key: bloom peer backup-key FILE.",
    uk: "Старий ключ підпише передачу новому. Інші дізнаються про це з вашою наступною публікацією і далі йдуть за новим самі. Збережіть копію нового ключа: bloom peer backup-key ФАЙЛ.",
  },
  title: { en: "This garden", uk: "Цей сад" },
  about: { en: "Others know it by its key.", uk: "Інші впізнають його за ключем." },
  none: {
    en: "This garden has no key yet, so others cannot follow it. Sessions that begin after the key is made can be published.",
    uk: "Цей сад ще не має ключа, тож інші не можуть за ним стежити. Оприлюднити можна сесії, які почнуться після того, як ключ буде створено.",
  },
  make: { en: "Make the key", uk: "Створити ключ" },
  fingerprint: { en: "Fingerprint", uk: "Відбиток ключа" },
  compare: {
    en: "Give it to other owners by another way than the address.",
    uk: "Передайте його іншим власникам не тим шляхом, що адресу.",
  },
  announced: { en: "Announcements", uk: "Оголошення" },
  backup: {
    en: "The key is in no backup: keep a copy (bloom peer backup-key FILE).",
    uk: "Ключа немає в резервних копіях: збережіть копію (bloom peer backup-key ФАЙЛ).",
  },
  announcements: { en: "{} [announcement|announcements] so far", uk: "Досі {} [оголошення|оголошення|оголошень]" },
} as const satisfies Record<string, Text>;
