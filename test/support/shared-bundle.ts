/** Set-up of a test file: its workers load the bundle that was made once for all files. */
import { inject } from 'vitest';
import { useReadyBundle } from '../../src/workers/ready-bundle.js';

useReadyBundle(inject('workflowBundlePath'));
