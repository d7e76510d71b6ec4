import { Button } from "../../components/form.tsx";
import { useGuideState } from "../../components/guide-state.ts";
import { Segments } from "../../components/segments.tsx";
import { type Text, type Theme, usePreferences, useT } from "../../i18n/use-t.ts";
import { SettingRow, SettingsSection } from "./section.tsx";

/** Language, theme and guide of this browser. */
export function AppearanceSection() {
  const t = useT();
  const { language, theme, choose } = usePreferences();
  const [{ isOff }, note] = useGuideState();
  return (
    <SettingsSection id="appearance" title={t(words.title)} about={t(words.about)}>
      <SettingRow name={t(words.language)}>
        <Segments
          label={t(words.language)}
          value={language}
          options={[
            { value: "en", name: "English" },
            { value: "uk", name: "Українська" },
          ]}
          onChoose={(chosen) => choose({ language: chosen })}
        />
      </SettingRow>
      <SettingRow name={t(words.theme)}>
        <Segments<Theme>
          label={t(words.theme)}
          value={theme}
          options={[
            { value: "system", name: t(words.system) },
            { value: "light", name: t(words.light) },
            { value: "dark", name: t(words.dark) },
          ]}
          onChoose={(chosen) => choose({ theme: chosen })}
        />
      </SettingRow>
      <SettingRow
        name={t(words.guide)}
        about={t(isOff ? words.guideOff : words.guideOn)}
        action={
          isOff && (
            <Button tone="small" onClick={() => note({ isOff: false, hasWatched: false, hasSeen: false })}>
              {t(words.guideBack)}
            </Button>
          )
        }
      />
    </SettingsSection>
  );
}

const words = {
  title: { en: "Language and theme", uk: "Мова й тема" },
  about: { en: "For you, in this browser.", uk: "Для вас, у цьому браузері." },
  language: { en: "Language", uk: "Мова" },
  theme: { en: "Theme", uk: "Тема" },
  system: { en: "System", uk: "Як у системі" },
  light: { en: "Light", uk: "Світла" },
  dark: { en: "Dark", uk: "Темна" },
  guide: { en: "First steps", uk: "Перші кроки" },
  guideOff: { en: "The guide of the demo garden is hidden.", uk: "Підказки демонстраційного саду сховано." },
  guideOn: { en: "The demo garden shows its guide on Today.", uk: "Демонстраційний сад показує підказки на Сьогодні." },
  guideBack: { en: "Show the guide again", uk: "Показати підказки знову" },
} as const satisfies Record<string, Text>;
