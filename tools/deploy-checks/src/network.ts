import { parse as parseAddress, parseCIDR, type IPv4, type IPv6 } from 'ipaddr.js';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { matches, type Labels } from './manifests';

/** Either end of a connection: a pod, or an address outside the cluster. */
export type Peer = { name: string; namespace: string; labels: Labels } | { name: string; address: string };

type Spec = NonNullable<INetworkPolicy['spec']>;
type Rule = { ports?: Port[]; peers?: Allowed[] };
type Port = NonNullable<NonNullable<Spec['egress']>[number]['ports']>[number];
type Allowed = NonNullable<NonNullable<Spec['egress']>[number]['to']>[number];
type Selector = NonNullable<Allowed['podSelector']>;

/** Whether the policies let `from` connect to `to`, by the rules of Kubernetes: both ends must allow it. */
export const allows = (policies: readonly INetworkPolicy[], from: Peer, to: Peer, port: number): boolean =>
  endAllows(policies, 'Egress', from, to, port) && endAllows(policies, 'Ingress', to, from, port);

function endAllows(policies: readonly INetworkPolicy[], type: 'Egress' | 'Ingress', self: Peer, other: Peer, port: number): boolean {
  if ('address' in self) return true;
  const applying = policies.filter(
    ({ metadata, spec }) =>
      metadata?.namespace === self.namespace && spec?.policyTypes?.includes(type) === true && selects(spec.podSelector, self.labels),
  );
  // A pod that no policy selects is not isolated.
  if (applying.length === 0) return true;
  return applying.some(({ metadata, spec }) => {
    const rules: Rule[] =
      type === 'Egress'
        ? (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }))
        : (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }));
    return rules.some(
      (rule) =>
        (rule.ports ?? [{ port }]).some((allowed) => allowed.port === port) &&
        (rule.peers === undefined || rule.peers.some((peer) => covers(peer, other, metadata?.namespace ?? ''))),
    );
  });
}

function covers({ ipBlock, namespaceSelector, podSelector }: Allowed, peer: Peer, policyNamespace: string): boolean {
  if ('address' in peer)
    return (
      ipBlock !== undefined && within(peer.address, ipBlock.cidr) && !(ipBlock.except ?? []).some((cidr) => within(peer.address, cidr))
    );
  if (ipBlock !== undefined) return false;
  const inNamespace =
    namespaceSelector === undefined
      ? peer.namespace === policyNamespace
      : selects(namespaceSelector, { 'kubernetes.io/metadata.name': peer.namespace });
  return inNamespace && (podSelector === undefined || selects(podSelector, peer.labels));
}

export function selects({ matchLabels, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    matches(labels, matchLabels) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator === 'In') return values.includes(labels[key] ?? '');
      if (operator === 'NotIn') return !values.includes(labels[key] ?? '');
      throw new Error(`Selectors with the operator ${operator} are not supported.`);
    })
  );
}

function within(address: string, cidr: string): boolean {
  const parsed: IPv4 | IPv6 = parseAddress(address);
  const [range, bits] = parseCIDR(cidr);
  return parsed.kind() === range.kind() && parsed.match(range, bits);
}
