import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadPackage } from '../support/n8n';

const folder = join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies?: object; n8n: Record<string, unknown> };

describe('the package', () => {
  it('is loaded by n8n with its nodes, its credential and what the nodes panel says', async () => {
    const { types } = await loadPackage();
    assert.deepEqual(types.nodes.map(({ name }) => name).sort(), ['sheaf', 'sheafTrigger']);
    assert.deepEqual(
      types.credentials.map(({ name }) => name),
      ['sheafApi'],
    );
    for (const node of types.nodes) {
      assert.deepEqual(node.codex?.categories, ['Productivity', 'Data & Storage']);
      const icons = node.iconUrl as { light: string; dark: string };
      for (const icon of [icons.light, icons.dark])
        assert.ok(existsSync(join(folder, icon.replace(/^icons\/n8n-nodes-sheaf\//, ''))), icon);
    }
  });

  it('tests a credential without following a redirect, as the nodes follow none', async () => {
    const { type } = (await loadPackage()).getCredential('sheafApi');
    assert.equal(type.test?.request.disableFollowRedirect, true);
  });

  it('brings no dependencies into n8n', () => {
    assert.deepEqual(manifest.dependencies ?? {}, {});
    assert.equal(manifest.n8n.strict, true);
    assert.equal(manifest.n8n.n8nNodesApiVersion, 1);
  });

  it('offers the node, but not the trigger, to agents', async () => {
    const loader = await loadPackage();
    const usable = (name: string) => (loader.getNode(name).type as { description: { usableAsTool?: boolean } }).description.usableAsTool;
    assert.equal(usable('sheaf'), true);
    assert.equal(usable('sheafTrigger'), undefined);
  });
});
