// The official TypeScript client: connects, lists, calls, and prints what it got as one line of JSON.
//   node smoke.mjs NODE_MODULES PROGRAM
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, program] = process.argv.slice(2);
const sdk = (file) => import(pathToFileURL(path.join(modules, '@modelcontextprotocol/sdk/dist/esm/client', file)).href);
const { Client } = await sdk('index.js');
const { StdioClientTransport } = await sdk('stdio.js');

const sanitizers = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.endsWith('SAN_OPTIONS')));
const client = new Client({ name: 'tests', version: '1' });
await client.connect(new StdioClientTransport({ command: program, args: ['serve'], env: sanitizers }));
if (client.getServerVersion().name !== 'codecalc') throw new Error('not codecalc');
const { tools } = await client.listTools();
if (!tools.some((tool) => tool.name === 'execute_code')) throw new Error('no execute_code');
const sum = await client.callTool({ name: 'calc_exact', arguments: { expr: '100*101/2' } });
const run = await client.callTool({ name: 'execute_code', arguments: { language: 'node', code: 'console.log(6*7)' } });
const wrong = await client.callTool({ name: 'calc_exact', arguments: {} });
if (!wrong.isError) throw new Error('a missing argument was taken');
await client.close();
console.log(JSON.stringify({ value: sum.structuredContent.value, stdout: run.structuredContent.stdout, error: wrong.structuredContent.code }));
