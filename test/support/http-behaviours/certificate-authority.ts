/**
 * An authority for TLS tests, made when it is needed: EC P-256 keys and X.509 certificates (RFC
 * 5280), written as DER by hand because Node signs but makes no certificates.
 */
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { TlsIdentity } from './behaviour.js';

const OID = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  basicConstraints: [0x55, 0x1d, 0x13],
  subjectAltName: [0x55, 0x1d, 0x11],
};

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
const ALGORITHM = sequence(oid(OID.ecdsaWithSha256));

const nameOf = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(commonName)))));

/** GeneralizedTime, seconds precise. */
const timeOf = (date: Date): Buffer =>
  der(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')));

const extension = (id: readonly number[], value: Buffer): Buffer =>
  sequence(oid(id), der(0x04, value));

/** dNSName or iPAddress, both context-specific. */
const altName = (name: string): Buffer =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));

const DAY_MS = 86_400_000;

interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly notAfter: Date;
  readonly extensions: readonly Buffer[];
}

function certificate(facts: CertificateFacts): string {
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ALGORITHM,
    nameOf(facts.issuer),
    sequence(timeOf(new Date(facts.notAfter.getTime() - 365 * DAY_MS)), timeOf(facts.notAfter)),
    nameOf(facts.subject),
    facts.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...facts.extensions)),
  );
  const signature = sign('sha256', body, facts.signer);
  const whole = sequence(body, ALGORITHM, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** An authority that nobody trusts but those who are given its certificate. */
export class CertificateAuthority {
  readonly #name = `played authority ${randomBytes(4).toString('hex')}`;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** Its certificate, PEM. */
  readonly cert = certificate({
    subject: this.#name,
    issuer: this.#name,
    publicKey: this.#keys.publicKey,
    signer: this.#keys.privateKey,
    notAfter: new Date(Date.now() + 30 * DAY_MS),
    extensions: [extension(OID.basicConstraints, sequence(der(0x01, Buffer.from([0xff]))))],
  });

  /**
   * A certificate for these names.
   *
   * @param names host names or IPv4 addresses
   * @param daysLeft negative: it has run out. @default 30
   */
  issue(names: readonly string[], daysLeft = 30): TlsIdentity {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      cert: certificate({
        subject: names[0] ?? 'nobody',
        issuer: this.#name,
        publicKey: keys.publicKey,
        signer: this.#keys.privateKey,
        notAfter: new Date(Date.now() + daysLeft * DAY_MS),
        extensions: [extension(OID.subjectAltName, sequence(...names.map(altName)))],
      }),
      key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }
}
