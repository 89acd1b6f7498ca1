import type { BrowserContext, CDPSession, ConsoleMessage, Page, Request } from 'playwright-core';

/** The events of a profile that can be problems. */
const events = ['console', 'weberror', 'dialog', 'request', 'requestfailed', 'response'];

/** The problems in a browser without a test having asked for it, in the order in which they happened. */
export class Problems {
  private readonly seen: string[] = [];
  private isLeaving = false;
  private session: CDPSession | undefined;

  constructor(
    private readonly context: BrowserContext,
    /** The servers that a page may load from and lead to. */
    private readonly origins: readonly string[],
    private readonly isApplication: boolean,
  ) {
    context.on('console', (message) => this.onConsole(message));
    context.on('weberror', (error) => this.seen.push(`error: ${error.error().message}`));
    context.on('dialog', (dialog) => {
      if (this.isLeaving && dialog.type() === 'beforeunload') return void dialog.accept();
      this.seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('request', (request) => this.onRequest(request));
    context.on('requestfailed', (request) => this.onFailure(request));
    context.on('response', (response) => {
      const request = response.request();
      // Tests look at the status of pages themselves: a page about a wrong answer has status 422.
      if (response.status() >= 400 && !request.isNavigationRequest()) this.seen.push(`${response.status()}: ${request.url()}`);
    });
  }

  /** Watches a page for code that it makes from text: the policy's answer is thrown to the script, which may hide it, and not on the console. */
  async watch(page: Page): Promise<void> {
    const session = await this.context.newCDPSession(page);
    session.on('Audits.issueAdded', ({ issue }) => {
      const violation = issue.details.contentSecurityPolicyIssueDetails;
      if (violation?.contentSecurityPolicyViolationType !== 'kEvalViolation') return;
      this.seen.push(`error: code from text, against the Content Security Policy: ${violation.sourceCodeLocation?.url ?? page.url()}`);
    });
    await session.send('Audits.enable');
    this.session = session;
  }

  /** Listens no more, for somebody else to do so. */
  async unwatch(): Promise<void> {
    for (const event of events) this.context.removeAllListeners(event);
    await this.session?.detach();
  }

  /** Leaves a page for good, although it asks before it is left because something is unsaved. */
  async whileLeaving(leave: () => Promise<unknown>): Promise<void> {
    this.isLeaving = true;
    await leave();
    this.isLeaving = false;
  }

  /** Returns the problems so far and forgets them: the test expects them. */
  take(): string[] {
    return this.seen.splice(0);
  }

  /** Returns the problems that no test took. Cookies count as one, because forms set none; a script must never be able to read one. */
  async rest(): Promise<string[]> {
    const cookies = await this.context.cookies();
    return [...this.take(), ...cookies.filter(({ httpOnly }) => !this.isApplication || !httpOnly).map(({ name }) => `cookie: ${name}`)];
  }

  private onConsole(message: ConsoleMessage): void {
    // `response` and `requestfailed` report these with their address.
    if (message.text().startsWith('Failed to load resource')) return;
    // Violations of the page's policy arrive as errors, also where scripts are off.
    if (['error', 'warning', 'assert'].includes(message.type())) this.seen.push(`${message.type()}: ${message.text()}`);
  }

  private onRequest(request: Request): void {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !this.origins.includes(origin)) this.seen.push(`request to another server: ${request.url()}`);
  }

  private onFailure(request: Request): void {
    const reason = request.failure()?.errorText ?? 'failed';
    // The page itself ended it, or was left before the answer came: by a second click, or for another address. The fault has other reasons.
    if (reason === 'net::ERR_ABORTED') return;
    this.seen.push(`${reason}: ${request.url()}`);
  }
}
