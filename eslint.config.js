import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const DOMAIN_PURE = ['contracts', 'errors'];

/**
 * The layer table: which folders of src a folder may import. Dependencies point one way; a folder
 * that is not listed under `may` is out of reach, and so is every package under `packages` for
 * everybody who is not named there.
 */
const LAYERS = {
  contracts: ['errors'],
  url: DOMAIN_PURE,
  traps: [...DOMAIN_PURE, 'url'],
  parse: [...DOMAIN_PURE, 'url'],
  robots: [...DOMAIN_PURE, 'url'],
  redis: DOMAIN_PURE,
  frontier: [...DOMAIN_PURE, 'redis', 'url'],
  fetch: [...DOMAIN_PURE, 'url'],
  output: DOMAIN_PURE,
  config: [...DOMAIN_PURE, 'url'],
  workflows: DOMAIN_PURE,
  activities: [
    ...DOMAIN_PURE,
    'config',
    'fetch',
    'frontier',
    'output',
    'parse',
    'redis',
    'robots',
    'traps',
    'url',
  ],
  client: [...DOMAIN_PURE, 'config', 'workflows'],
  servers: [...DOMAIN_PURE],
};

/** Packages that only the named folders may import. */
const PACKAGE_OWNERS = {
  ioredis: ['redis'],
  undici: ['fetch'],
  zod: ['config'],
  commander: ['cli'],
  tldts: ['url'],
  htmlparser2: ['parse'],
  entities: ['parse'],
  parse5: ['parse'],
  '@exodus/bytes/encoding.js': ['parse'],
  '@exodus/bytes/whatwg.js': ['parse'],
};

const ALL_FOLDERS = [...Object.keys(LAYERS), 'workers', 'cli'];

function layerRule(folder) {
  const allowed = LAYERS[folder];
  const patterns = [];
  if (allowed) {
    for (const other of ALL_FOLDERS) {
      if (other === folder || allowed.includes(other)) continue;
      patterns.push({
        group: [`**/${other}/*`, `**/${other}/**`],
        message: `src/${folder} may not import src/${other} (layer table in eslint.config.js).`,
      });
    }
  }
  const paths = Object.entries(PACKAGE_OWNERS)
    .filter(([, owners]) => !owners.includes(folder))
    .map(([name, owners]) => ({ name, message: `Only src/${owners.join(', src/')} imports it.` }));
  if (folder === 'workflows') {
    patterns.push({
      group: ['node:*', '@temporalio/client', '@temporalio/worker', '@temporalio/activity'],
      message: 'Workflow code is replayed: it only sequences, waits and counts.',
    });
  }
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns, paths }] },
  };
}

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'out/**', '.orbweaver/**', 'coverage/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }] },
  },
  ...ALL_FOLDERS.map(layerRule),
  { files: ['**/*.js', '**/*.mjs'], languageOptions: { globals: { process: 'readonly' } } },
);
