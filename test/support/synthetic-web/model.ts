/** The whole synthetic web as data: hosts, their resources, who links to whom. */
import { HostBuilder } from './host-builder.js';
import type { ResolvedWebOptions } from './options.js';
import { addOrdinaryPages } from './ordinary-pages.js';
import type { HostModel } from './resource.js';
import { addSiteRules } from './site-rules.js';
import { addTroubles } from './troubles.js';

/** All hosts by name. */
export interface WebModel {
  readonly options: ResolvedWebOptions;
  readonly hosts: ReadonlyMap<string, HostModel>;
  /** Root of host 0, from which everything can be reached. */
  readonly seedUrl: string;
}

/** Build a web; equal options give equal webs. */
export function buildModel(options: ResolvedWebOptions): WebModel {
  const hosts = new Map<string, HostModel>();
  let seedUrl = '';
  for (let index = 0; index < options.hosts; index += 1) {
    const host = new HostBuilder(options, index);
    addOrdinaryPages(host);
    addTroubles(host);
    addSiteRules(host);
    hosts.set(host.name, host.build());
    if (index === 0) seedUrl = host.url('/');
  }
  return { options, hosts, seedUrl };
}
