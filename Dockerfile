# Debian, not Alpine: the Temporal SDK's native part is built for glibc only.
FROM node:20-bookworm-slim AS build
WORKDIR /app
# Dependencies first: a change of sources does not fetch them again.
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
# The native part of the Temporal SDK takes its root certificates from the system.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && install --directory --owner=node --group=node /data
ENV NODE_ENV=production
COPY --from=build /app/package.json /app/package.json
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
# Crawl output goes to ./out and the data directory to ./.orbweaver: both below the volume.
WORKDIR /data
VOLUME /data
USER node
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["--help"]
