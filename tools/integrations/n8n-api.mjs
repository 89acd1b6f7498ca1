// The part of n8n's own API, as its editor uses it, that in-n8n.mjs needs.
import { randomBytes } from 'node:crypto';

export class N8nApi {
  #cookie = '';

  constructor(url) {
    this.url = url;
  }

  /** Whether the server has started. Before, it answers everything with a text, or with 503 while its database is slow. */
  async isReady() {
    try {
      const { ok, headers } = await fetch(`${this.url}/rest/settings`);
      return ok && (headers.get('content-type')?.startsWith('application/json') ?? false);
    } catch {
      return false;
    }
  }

  /** Makes the owner, as the first visitor of n8n does, and signs in. */
  async setUp() {
    const password = `A1${randomBytes(12).toString('hex')}`;
    const owner = { email: 'owner@example.org', firstName: 'Olive', lastName: 'Owner', password };
    const response = await this.#send('POST', '/rest/owner/setup', owner);
    this.#cookie = response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  }

  /** The names of those of these node types that n8n knows. */
  async nodeTypes(names) {
    const nodeInfos = names.map((name) => ({ name, version: 1 }));
    return (await this.#call('POST', '/rest/node-types', { nodeInfos })).map(({ name }) => name);
  }

  async createCredential(name, type, data) {
    const { id } = await this.#call('POST', '/rest/credentials', { name, type, data });
    return { id, name, type };
  }

  testCredential(credentials) {
    return this.#call('POST', '/rest/credentials/test', { credentials });
  }

  pick(nodeType, methodName, { filter, credential }) {
    return this.#call('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
      nodeTypeAndVersion: { name: nodeType, version: 1 },
      path: 'parameters.formId',
      methodName,
      filter,
      currentNodeParameters: {},
      credentials: credential,
    });
  }

  importWorkflow(workflow) {
    return this.#call('POST', '/rest/workflows', { ...workflow, active: false, settings: {} });
  }

  setActive({ id, versionId }, active) {
    return this.#call('PATCH', `/rest/workflows/${id}`, { active, versionId });
  }

  async executions(workflowId) {
    const filter = encodeURIComponent(JSON.stringify({ workflowId }));
    return (await this.#call('GET', `/rest/executions?filter=${filter}`)).results;
  }

  async #call(method, path, body) {
    const response = await this.#send(method, path, body);
    return (await response.json()).data;
  }

  async #send(method, path, body) {
    const headers = { 'content-type': 'application/json', cookie: this.#cookie, 'browser-id': 'in-n8n' };
    const response = await fetch(this.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${(await response.text()).slice(0, 500)}`);
    return response;
  }
}
