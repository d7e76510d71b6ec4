import type { Text } from "../../i18n/use-t.ts";

export const iconTypeLabels: Readonly<Record<string, Text>> = {
  action: { en: "Action", uk: "Дія" },
  question: { en: "Question", uk: "Питання" },
  select: { en: "Select", uk: "Вибір" },
  case: { en: "Case", uk: "Варіант" },
  loopbegin: { en: "For each", uk: "Для кожного" },
  loopend: { en: "End of loop", uk: "Кінець циклу" },
  "arrow-loop": { en: "Loop back", uk: "Повернення" },
  parbegin: { en: "Process", uk: "Процес" },
  parend: { en: "End of parallel block", uk: "Кінець паралельного блоку" },
  branch: { en: "Branch", uk: "Гілка" },
  address: { en: "Go to branch", uk: "До гілки" },
  end: { en: "End", uk: "Кінець" },
  header: { en: "Header", uk: "Заголовок" },
  params: { en: "Parameters", uk: "Параметри" },
  insertion: { en: "Call a diagram", uk: "Виклик діаграми" },
  comment: { en: "Comment", uk: "Коментар" },
  simpleinput: { en: "Ask a person", uk: "Запитати людину" },
  simpleoutput: { en: "Output", uk: "Повідомити" },
  input: { en: "Wait for a signal", uk: "Чекати на сигнал" },
  output: { en: "Send a message", uk: "Повідомити комусь" },
  process: { en: "Start a process", uk: "Запустити процес" },
  shelf: { en: "Shelf", uk: "Полиця" },
  timer: { en: "Timer", uk: "Таймер" },
  pause: { en: "Pause", uk: "Пауза" },
  ctrlstart: { en: "Start of period", uk: "Початок періоду" },
  ctrlend: { en: "End of period", uk: "Кінець періоду" },
  duration: { en: "Duration", uk: "Тривалість" },
  "drakon-image": { en: "Picture", uk: "Зображення" },
};

export const iconTypeLabel = (type: string): Text => iconTypeLabels[type] ?? { en: type, uk: type };
