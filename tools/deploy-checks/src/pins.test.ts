import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './manifests';

// A tag can be moved at any time; a commit or a digest cannot.
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pinned = /^[a-z]+:[^@\d]*\d[^@]*@sha256:[0-9a-f]{64}$/;

it.each(readdirSync(join(root, '.github/workflows')))('%s pins actions by commit and names their versions', (file) => {
  const uses = [...read(`.github/workflows/${file}`).matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(uses.length).toBeGreaterThan(0);
  expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ''))).toEqual([]);
});

it('images are built on one base image, pinned by digest and named in a label', () => {
  const dockerfile = read('deploy/Dockerfile');
  expect(/^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile)?.[1]).toMatch(pinned);
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual([
    '${NODE_IMAGE}',
    '${NODE_IMAGE}',
    'dependencies',
    'dependencies',
    natsImage(),
    '${NODE_IMAGE}',
    'scratch',
  ]);
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE\nLABEL [^]*org\.opencontainers\.image\.base\.name="\$\{NODE_IMAGE\}"/m);
});

it('.nvmrc names the Node version of the images', () => {
  expect(read('deploy/Dockerfile')).toContain(`\nARG NODE_IMAGE=node:${read('.nvmrc').trim()}.`);
});

const serverImage = (server: string): string => {
  const {
    images: [image],
  } = parse(read(`deploy/platform/${server}/kustomization.yaml`)) as { images: { name: string; newTag: string; digest: string }[] };
  return `${image?.name ?? ''}:${image?.newTag ?? ''}@${image?.digest ?? ''}`;
};
const natsImage = () => serverImage('nats');

it('Compose runs the same server images as the cluster, and a proxy whose image its operator may pin', () => {
  const services = ['compose.yaml', 'compose.one.yaml'].flatMap((file) =>
    Object.values((parse(read(`deploy/${file}`), { merge: true }) as { services: Record<string, { image: string }> }).services),
  );
  const thirdParty = new Set(services.map(({ image }) => image).filter((image) => !image.includes('/sheaf/')));
  const inCluster = ['postgres', 'nats'].map(serverImage);
  expect([...thirdParty].sort()).toEqual(['${CADDY_IMAGE:-caddy:2.10.2-alpine}', ...inCluster].sort());
  expect(inCluster.filter((image) => !pinned.test(image))).toEqual([]);
});
