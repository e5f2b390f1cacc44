/** The search attribute that every workflow carries: without it none can start. */
import type { Client, Connection } from '@temporalio/client';
import { CRAWL_ID_ATTRIBUTE } from '../contracts/workflow-ids.js';
import { ConfigError } from '../errors.js';

/** temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD */
const KEYWORD = 2;
const GRPC_NOT_FOUND = 5;
const GRPC_ALREADY_EXISTS = 6;

/** What can register and look. */
export interface AttributeReach {
  readonly connection: Connection;
  readonly client: Client;
  readonly namespace: string;
}

/**
 * Register CrawlId where it is missing.
 *
 * @throws CONFIG_SERVER_UNFIT where that is not allowed (Temporal Cloud), saying what to do
 */
export async function ensureSearchAttribute(reach: AttributeReach): Promise<void> {
  const { connection, namespace } = reach;
  if (await hasSearchAttribute(reach)) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [CRAWL_ID_ATTRIBUTE]: KEYWORD },
    });
  } catch (error) {
    const { code } = error as { code?: number };
    if (code === GRPC_ALREADY_EXISTS) return;
    if (code === GRPC_NOT_FOUND) {
      throw new ConfigError(
        'CONFIG_SERVER_UNFIT',
        `TEMPORAL_NAMESPACE: there is no namespace "${namespace}"; name one that exists, or create it ` +
          `with temporal operator namespace create --namespace ${namespace}`,
        { cause: error },
      );
    }
    throw new ConfigError(
      'CONFIG_SERVER_UNFIT',
      `namespace ${namespace}: it lacks the search attribute ${CRAWL_ID_ATTRIBUTE} and it may not be ` +
        `added from here (${(error as Error).message}); add it with temporal operator ` +
        `search-attribute create --namespace ${namespace} --name ${CRAWL_ID_ATTRIBUTE} --type Keyword, ` +
        'on Temporal Cloud in the settings of the namespace or with tcld namespace search-attributes add',
      { cause: error },
    );
  }
}

/** Does the namespace know it? False also where that can't be asked. */
export async function hasSearchAttribute({
  connection,
  client,
  namespace,
}: AttributeReach): Promise<boolean> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace,
    });
    return Object.hasOwn(customAttributes ?? {}, CRAWL_ID_ATTRIBUTE);
  } catch {
    // No operator service (Temporal Cloud): a query that uses it is refused where it is missing.
    try {
      await client.workflow.count(`${CRAWL_ID_ATTRIBUTE} = 'none'`);
      return true;
    } catch {
      return false;
    }
  }
}
