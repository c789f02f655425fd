// Which Croupier this is, and whether the server has other pages by now than the one that is open here.
export const release = document.querySelector("meta[name=generator]")?.content ?? "";

const own = document.querySelector("meta[name=croupier-version]")?.content;

export const isOutdated = (facts) => Boolean(own && facts?.version && facts.version !== own);
