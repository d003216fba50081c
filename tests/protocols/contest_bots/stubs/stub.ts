// Like the site's starter code for TypeScript: types, and an undeclared readline().
while (true) {
    const gamePhase: string = readline();
    const applicationCount: number = parseInt(readline());
    for (let i = 0; i < applicationCount; i++) {
        var inputs: string[] = readline().split(' ');
    }
    for (let i = 0; i < 2; i++) {
        var inputs: string[] = readline().split(' ');
    }
    const cardLocationsCount: number = parseInt(readline());
    for (let i = 0; i < cardLocationsCount; i++) {
        var inputs: string[] = readline().split(' ');
    }
    const possibleMovesCount: number = parseInt(readline());
    for (let i = 0; i < possibleMovesCount; i++) {
        const possibleMove: string = readline();
    }
    console.error('kibitz phase ' + gamePhase);
    console.log('RANDOM');
}
