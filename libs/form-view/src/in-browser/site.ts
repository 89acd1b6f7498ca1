import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assetsAt } from '../assets';
import { render } from '../render';
import { receipt } from '../sample-views';
import type { Frame, View } from '../view';

const root = join(__dirname, '../../../..');
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; worker-src 'self'; form-action 'self'";

/** A site for tests: pages by path, and what browsers sent to it. */
export class Site {
  readonly posts: string[] = [];
  /** Views by path; a text is sent as it is, and without our policy. */
  readonly pages = new Map<string, View | string>();
  /** The answer to a page that is sent. */
  next: View = receipt();
  private readonly folder = mkdtempSync(join(tmpdir(), 'sheaf-site-'));
  private readonly server: Server;

  private constructor() {
    execFileSync(process.execPath, [join(root, 'tools/build/page-assets.mjs'), join(this.folder, 'assets')], { cwd: root });
    this.server = createServer((request, response) => this.handle(request, response));
  }

  static async start(): Promise<Site> {
    const site = new Site();
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? '', 'http://site').pathname;
    if (request.method === 'POST') return this.take(request, response);
    const page = this.pages.get(path);
    if (typeof page === 'string') return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    if (page) return this.show(response, page);
    this.serve(response, path);
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.posts.push(Buffer.concat(chunks).toString());
      this.show(response, this.next);
    });
  }

  private show(response: ServerResponse, view: View): void {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    response.end(render({ ...view, assets: this.assets(view.assets) }));
  }

  private manifest(): Record<string, string> {
    return JSON.parse(readFileSync(join(this.folder, 'assets/manifest.json'), 'utf8')) as Record<string, string>;
  }

  private assets({ theme }: Frame['assets']): Frame['assets'] {
    return { ...assetsAt((name) => `/assets/${this.manifest()[name]}`), theme };
  }

  private serve(response: ServerResponse, path: string): void {
    const file = path === '/embed.js' ? `/assets/${this.manifest()['embed.js']}` : path;
    if (!file.startsWith('/assets/')) return void response.writeHead(404).end();
    const type = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }[file.split('.').at(-1) ?? ''];
    response.writeHead(200, { 'content-type': type ?? 'text/plain' }).end(readFileSync(join(this.folder, file)));
  }
}
