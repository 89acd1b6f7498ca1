import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { root } from './manifests';

export interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description?: string; runbook_url: string };
}
export interface Recording {
  record: string;
  expr: string;
}

interface Group {
  name: string;
  rules: (Alert | Recording)[];
}

/** On our processes, and on the servers that an operator runs. */
const files = ['deploy/components/monitoring/alerts.yaml', 'deploy/platform/postgres-cluster/monitoring/alerts.yaml'];

/** The rule groups in Prometheus's own format. */
export const ruleGroups = (): Group[] =>
  files.flatMap((file) => (parse(readFileSync(join(root, file), 'utf8')) as { spec: { groups: Group[] } }).spec.groups);

export function readRules(): { alerts: Alert[]; recordings: Recording[] } {
  const rules = ruleGroups().flatMap((group) => group.rules);
  return { alerts: rules.filter((rule) => 'alert' in rule), recordings: rules.filter((rule) => 'record' in rule) };
}

/** The metrics and labels in a query, found with the parser of Prometheus's own web interface. */
export function parseQuery(expr: string): { faults: string[]; metrics: string[]; labels: string[] } {
  const faults: string[] = [];
  const metrics: string[] = [];
  const labels: string[] = [];
  parser.parse(expr).iterate({
    enter({ type, node, from, to }) {
      const text = expr.slice(from, to);
      if (type.isError) faults.push(`${from}: ${expr.slice(from, from + 20)}`);
      else if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text);
      else if (type.name === 'LabelName') labels.push(text);
    },
  });
  return { faults, metrics, labels };
}
