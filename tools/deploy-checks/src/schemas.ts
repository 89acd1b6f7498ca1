import { join } from 'node:path';
import ts from 'typescript';
import { root, titleOf, type Manifest } from './manifests';

/** The package for an API group, and the module within it. */
function moduleOf({ apiVersion }: Manifest): string {
  const group = apiVersion.split('/')[0];
  if (group === 'keda.sh') return `@kubernetes-models/keda/${apiVersion}`;
  if (group === 'monitoring.coreos.com') return `@kubernetes-models/prometheus-operator/${apiVersion}`;
  if (group === 'gateway.networking.k8s.io') return `@kubernetes-models/gateway-api/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}

/** Errors for which the API server would reject a manifest, or warn under strict validation: wrong values, missing fields, unknown fields. */
export async function schemaFaults(manifests: readonly Manifest[]): Promise<string[]> {
  const faults = await Promise.all(manifests.map(valueFaults));
  return [...faults.flat(), ...unknownFields(manifests)];
}

async function valueFaults(manifest: Manifest): Promise<string[]> {
  const models = (await import(moduleOf(manifest))) as Record<string, (new (data: Manifest) => { validate(): void }) | undefined>;
  const Model = models[manifest.kind];
  if (Model === undefined) return [`${titleOf(manifest)}: ${manifest.apiVersion} has no such kind`];
  try {
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${titleOf(manifest)}: ${(error as Error).message}`];
  }
}

// The validators ignore unknown fields. Their types do not, so the manifests are type-checked as literals of these types.
const file = join(root, 'tools/deploy-checks/src/manifests-as-literals.ts');
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  types: [],
};
/** The declarations are parsed only once. */
const declarations = new Map<string, ts.SourceFile | undefined>();
let before: ts.Program | undefined;

function unknownFields(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map((manifest, n) => {
    const type = `import(${JSON.stringify(moduleOf(manifest))}).I${manifest.kind}`;
    return `export const m${n}: ${type} = ${JSON.stringify(manifest)};`;
  });
  const text = lines.join('\n');
  const host = ts.createCompilerHost(options);
  const fromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (name === file) return ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
    if (!declarations.has(name)) declarations.set(name, fromDisk(name, ...rest));
    return declarations.get(name);
  };
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || exists(name);

  const program = ts.createProgram([file], options, host, before);
  before = program;
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
    const line = source?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
    const manifest = manifests[line];
    return `${manifest === undefined ? file : titleOf(manifest)}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').slice(0, 500)}`;
  });
}
