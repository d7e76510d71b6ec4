import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Every setting in force, with defaults, by its name in `garden.yaml`. */
export function AllSettings() {
  const t = useT();
  const settings = useQuery(query("GET /settings", {}));
  return (
    <section className="card stack tight" aria-labelledby="all-settings">
      <h2 id="all-settings">{t(words.title)}</h2>
      <QueryResult of={settings}>
        {({ settings: current, trouble }) => (
          <>
            {trouble && (
              <p className="warning" role="alert">
                {t(trouble)} {t(words.before)}
              </p>
            )}
            <p className="quiet">
              {t(words.about)} <code>bloom settings set limits.note_bytes 1000000</code>
            </p>
            <details>
              <summary>{t(words.show)}</summary>
              <div className="scroll-x">
                <table className="table lines">
                  <tbody>
                    {flat(current).map(([name, value]) => (
                      <tr key={name}>
                        <th scope="row">
                          <code>{name}</code>
                        </th>
                        <td className="break">
                          <code>{value}</code>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </details>
          </>
        )}
      </QueryResult>
    </section>
  );
}

/** `limits.note_bytes` and its value; lists stay one value. */
function flat(value: unknown, prefix = ""): (readonly [string, string])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[prefix, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, each]) => flat(each, prefix === "" ? name : `${prefix}.${name}`));
}

const words = {
  title: { en: "All settings", uk: "Усі налаштування" },
  show: { en: "Settings in force", uk: "Налаштування, що діють" },
  before: {
    en: "Until the file is corrected, the settings from before stay in force.",
    uk: "Доки файл не виправлено, діють попередні налаштування.",
  },
  about: {
    en: "They are in garden.yaml; a change takes effect within a second. Change one with",
    uk: "Вони у файлі garden.yaml; зміна діє за секунду. Змінити одне:",
  },
} as const satisfies Record<string, Text>;
