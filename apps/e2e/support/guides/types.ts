import { formatDiagnostics, type CompilerOptions } from 'typescript';
import * as ts from 'typescript';

/** Strict TypeScript's errors in these programs. */
export function typeErrors(files: readonly string[], typeRoot: string): string[] {
  if (files.length === 0) return [];
  const options: CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    skipLibCheck: true,
    typeRoots: [typeRoot],
    types: ['node'],
  };
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram(files, options));
  return diagnostics.map((diagnostic) =>
    formatDiagnostics([diagnostic], {
      getCurrentDirectory: () => '',
      getCanonicalFileName: (file) => file,
      getNewLine: () => '\n',
    }).trim(),
  );
}
