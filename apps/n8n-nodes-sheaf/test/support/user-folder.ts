import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n's packages create their settings in this folder when they are loaded. Import this module before them.
const folder = mkdtempSync(join(tmpdir(), 'sheaf-n8n-'));
process.env.N8N_USER_FOLDER = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
