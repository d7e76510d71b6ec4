import {
  type App,
  ItemView,
  MarkdownView,
  Notice,
  Plugin,
  PluginSettingTab,
  requestUrl,
  Setting,
  type WorkspaceLeaf,
} from "obsidian";
import {
  GatewayProblem,
  type GatewaySettings,
  lineOrigin,
  reviewPage,
  type SendRequest,
  type WaitingProposal,
  waitingProposals,
  whyPage,
} from "./gateway-client.ts";
import { lineWords, type PluginLanguage, pluginWords, problemWords, statusText } from "./plugin-words.ts";

const PANE = "garden-bloom-waiting";
const TOKEN_KEY = "garden-bloom-token";
const LOOK_EVERY_MS = 30_000;

/** Obsidian's own request: it has no cross-origin limits, and answers of any status are values. */
const send: SendRequest = async (url, headers) => {
  const { status, text } = await requestUrl({ url, headers: { ...headers }, throw: false });
  return { status, text };
};

type Waiting =
  | { readonly kind: "list"; readonly proposals: readonly WaitingProposal[]; readonly isMore: boolean }
  | { readonly kind: "problem"; readonly text: string };

/** Shows what waits in a garden and who changed a line. It only reads; decisions are made in the browser. */
export default class GardenBloomPlugin extends Plugin {
  address = "http://127.0.0.1:7777";
  folder = "";
  waiting: Waiting = { kind: "list", proposals: [], isMore: false };
  #bar: HTMLElement | undefined;

  get language(): PluginLanguage {
    return document.documentElement.lang.startsWith("uk") ? "uk" : "en";
  }

  /** The token is no part of the plugin's data: that is a file of the vault, which git and sync services copy. */
  get gateway(): GatewaySettings {
    const token: unknown = this.app.loadLocalStorage(TOKEN_KEY);
    return { address: this.address, folder: this.folder, token: typeof token === "string" ? token : "" };
  }

  override async onload(): Promise<void> {
    const saved = (await this.loadData()) as { address?: unknown; folder?: unknown } | null;
    if (typeof saved?.address === "string") this.address = saved.address;
    if (typeof saved?.folder === "string") this.folder = saved.folder;
    this.#bar = this.addStatusBarItem();
    this.#bar.addClass("garden-bloom-bar");
    this.registerDomEvent(this.#bar, "click", () => void this.openPane());
    this.registerView(PANE, (leaf) => new WaitingPane(leaf, this));
    this.addSettingTab(new GardenBloomSettings(this.app, this));
    const { openPane, whoChanged } = pluginWords;
    this.addCommand({ id: "waiting", name: openPane[this.language], callback: () => void this.openPane() });
    this.addCommand({ id: "line", name: whoChanged[this.language], callback: () => void this.tellLine() });
    this.registerInterval(window.setInterval(() => void this.look(), LOOK_EVERY_MS));
    this.app.workspace.onLayoutReady(() => void this.look());
  }

  async saveSettings(): Promise<void> {
    await this.saveData({ address: this.address, folder: this.folder });
    await this.look();
  }

  async look(): Promise<void> {
    try {
      this.waiting = { kind: "list", ...(await waitingProposals(this.gateway, send)) };
    } catch (error) {
      this.waiting = { kind: "problem", text: this.problemText(error) };
    }
    const { waiting } = this;
    const isList = waiting.kind === "list";
    this.#bar?.setText(statusText(isList ? waiting.proposals.length : undefined, isList && waiting.isMore));
    this.#bar?.setAttribute("aria-label", isList ? pluginWords.waiting[this.language] : waiting.text);
    for (const { view } of this.app.workspace.getLeavesOfType(PANE)) if (view instanceof WaitingPane) view.draw();
  }

  async openPane(): Promise<void> {
    const { workspace } = this.app;
    const leaf = workspace.getLeavesOfType(PANE)[0] ?? workspace.getRightLeaf(false);
    if (!leaf) return;
    await leaf.setViewState({ type: PANE, active: true });
    await workspace.revealLeaf(leaf);
    await this.look();
  }

  async tellLine(): Promise<void> {
    const view = this.app.workspace.getActiveViewOfType(MarkdownView);
    const path = view?.file?.path;
    if (!view || path === undefined) return tell(pluginWords.noNote[this.language]);
    const note = { path, text: view.editor.getValue(), line: view.editor.getCursor().line + 1 };
    try {
      const answer = await lineOrigin(this.gateway, send, note);
      const notice = new Notice(lineWords(answer, this.language), 0);
      if (answer.kind === "origin")
        link(notice.messageEl, pluginWords.why[this.language], whyPage(this.gateway, path, answer.line));
    } catch (error) {
      tell(this.problemText(error));
    }
  }

  problemText(error: unknown): string {
    return problemWords(error instanceof GatewayProblem ? error : new GatewayProblem("answer"), this.language);
  }
}

class WaitingPane extends ItemView {
  readonly #plugin: GardenBloomPlugin;

  constructor(leaf: WorkspaceLeaf, plugin: GardenBloomPlugin) {
    super(leaf);
    this.#plugin = plugin;
  }

  getViewType(): string {
    return PANE;
  }

  getDisplayText(): string {
    return pluginWords.waiting[this.#plugin.language];
  }

  override getIcon(): string {
    return "flower";
  }

  override onOpen(): Promise<void> {
    this.draw();
    return Promise.resolve();
  }

  /** Text of the gateway is set as text, never as HTML. */
  draw(): void {
    const { contentEl } = this;
    const { waiting, gateway, language } = this.#plugin;
    contentEl.empty();
    contentEl.addClass("garden-bloom-pane");
    contentEl.createEl("h4", { text: pluginWords.waiting[language] });
    if (waiting.kind === "problem") return void contentEl.createEl("p", { text: waiting.text });
    if (waiting.proposals.length === 0) contentEl.createEl("p", { text: pluginWords.nothing[language] });
    const list = contentEl.createEl("ul");
    for (const { id, title, who, target } of waiting.proposals) {
      const item = list.createEl("li");
      link(item, title, reviewPage(gateway, id));
      item.createEl("small", { text: `${who} · ${target}` });
    }
    if (waiting.isMore) contentEl.createEl("p", { text: pluginWords.more[language] });
    link(contentEl, pluginWords.review[language], reviewPage(gateway));
  }
}

class GardenBloomSettings extends PluginSettingTab {
  readonly #plugin: GardenBloomPlugin;

  constructor(app: App, plugin: GardenBloomPlugin) {
    super(app, plugin);
    this.#plugin = plugin;
  }

  override display(): void {
    const { containerEl } = this;
    const plugin = this.#plugin;
    const { language } = plugin;
    containerEl.empty();
    new Setting(containerEl)
      .setName(pluginWords.address[language])
      .setDesc(pluginWords.addressHint[language])
      .addText((text) =>
        text.setValue(plugin.address).onChange((value) => {
          plugin.address = value.trim();
          void plugin.saveSettings();
        }),
      );
    new Setting(containerEl)
      .setName(pluginWords.token[language])
      .setDesc(pluginWords.tokenHint[language])
      .addText((text) => {
        text.inputEl.type = "password";
        text.setValue(plugin.gateway.token).onChange((value) => {
          this.app.saveLocalStorage(TOKEN_KEY, value.trim() || null);
          void plugin.look();
        });
      });
    new Setting(containerEl)
      .setName(pluginWords.folder[language])
      .setDesc(pluginWords.folderHint[language])
      .addText((text) =>
        text.setValue(plugin.folder).onChange((value) => {
          plugin.folder = value.trim();
          void plugin.saveSettings();
        }),
      );
  }
}

/** Obsidian shows a notice when it is constructed. */
function tell(message: string): void {
  void new Notice(message);
}

/** A link that opens the browser. */
function link(into: HTMLElement, text: string, href: string): void {
  into.createEl("a", { text, href, cls: "external-link", attr: { target: "_blank", rel: "noopener" } });
}
