import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ts from 'typescript';

const dom = { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [] };
const node = { lib: ['lib.es2022.d.ts'], types: ['node'], typeRoots: [join(__dirname, '../../../node_modules/@types')] };
const nodeNext = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

/** The settings of projects that use a package: ES modules and CommonJS under Node, and a bundler for browsers. */
export const consumers: Readonly<Record<string, { file: string; options: ts.CompilerOptions }>> = {
  'ES modules of Node': { file: 'node.mts', options: { ...node, ...nodeNext } },
  'CommonJS modules of Node': { file: 'node.cts', options: { ...node, ...nodeNext } },
  'bundlers for browsers': { file: 'browser.mts', options: { ...dom, ...bundler } },
};

/** The complaints of a strict TypeScript about a program in a folder, and about the declarations of the packages that are installed there. */
export async function typeComplaints(folder: string, code: string, consumer: string): Promise<string[]> {
  const { file, options } = consumers[consumer] ?? { file: 'unknown.mts', options: {} };
  const path = join(folder, file);
  await writeFile(path, code);
  const compiler = ts.createProgram([path], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    ...options,
  });
  const files = compiler.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  const found = [...compiler.getGlobalDiagnostics(), ...files.flatMap((source) => compiler.getSemanticDiagnostics(source))];
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0] ?? '');
}
